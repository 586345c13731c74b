import {
  bool,
  bytea,
  date,
  int4,
  listColumns,
  nullable,
  type RowOf,
  text,
  textOf,
} from '#server/db/column-types.ts';
import { isNotPutOff } from '#server/db/due-work.queries.ts';
import { statement } from '#server/db/statement.ts';

const settings = {
  active: bool,
  cadence: textOf<'weekly' | 'monthly'>(),
  day: int4,
  horizon_days: int4,
  language: textOf<'en' | 'id'>(),
};
const storedColumns = {
  company_code: text,
  ...settings,
  secret: text,
  next_on: nullable(date),
  version: int4,
};
const watch = { ...storedColumns, group_by: nullable(text) };
export type WatchRow = RowOf<typeof watch>;
export type WatchSettings = Omit<WatchRow, 'company_code' | 'secret' | 'next_on' | 'version'>;
/** A digest is grouped by an own column as long as the company has it. */
const columns = `${listColumns(storedColumns)}, (SELECT key FROM company_fields f
  WHERE f.company_code = watches.company_code AND f.key = watches.group_by) AS group_by`;

/** Stores the defaults of a company that has no watch yet. Does nothing for an unknown company. */
export const insertWatch = statement({
  text: `INSERT INTO watches (company_code, secret, secret_hash) SELECT company_code, :sealed, :hash FROM clients
       WHERE company_code = :companyCode FOR KEY SHARE
     ON CONFLICT (company_code) DO NOTHING`,
  params: { companyCode: text, sealed: text, hash: bytea },
});

export const findWatch = statement({
  text: `SELECT ${columns} FROM watches WHERE company_code = :companyCode`,
  params: { companyCode: text },
  row: watch,
});

/** Finds a watch and locks it until the transaction ends. */
export const lockWatch = statement({
  text: `SELECT ${columns} FROM watches WHERE company_code = :companyCode FOR UPDATE`,
  params: { companyCode: text },
  row: watch,
});

export const updateWatch = statement({
  text: `UPDATE watches SET active = :active, cadence = :cadence, day = :day, horizon_days = :horizon_days,
       language = :language, group_by = :group_by, next_on = :nextOn, version = version + 1
     WHERE company_code = :companyCode`,
  params: { companyCode: text, ...settings, group_by: nullable(text), nextOn: nullable(date) },
});

export const updateNextDay = statement({
  text: 'UPDATE watches SET next_on = :nextOn WHERE company_code = :companyCode',
  params: { companyCode: text, nextOn: date },
});

/** Notes a change of the receivers, so that a form that was read before is refused. */
export const raiseVersion = statement({
  text: 'UPDATE watches SET version = version + 1 WHERE company_code = :companyCode',
  params: { companyCode: text },
});

export const updateSecret = statement({
  text: 'UPDATE watches SET secret = :sealed, secret_hash = :hash WHERE company_code = :companyCode',
  params: { companyCode: text, sealed: text, hash: bytea },
});

export const findWatchBySecret = statement({
  text: `SELECT ${listColumns(storedColumns, 'w')}, c.company_name FROM watches w JOIN clients c USING (company_code)
     WHERE w.secret_hash = :hash`,
  params: { hash: bytea },
  row: { ...storedColumns, company_name: text },
});

/** Locks a watch whose digest is due on `day` or was due before, unless another process has locked it. */
export const lockDue = statement({
  text: `SELECT ${columns} FROM watches WHERE next_on <= :day AND ${isNotPutOff('digest', 'company_code')}
     ORDER BY next_on, company_code LIMIT 1 FOR UPDATE SKIP LOCKED`,
  params: { day: date },
  row: watch,
});
