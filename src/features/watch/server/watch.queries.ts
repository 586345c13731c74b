import {
  bool,
  date,
  int4,
  listColumns,
  nullable,
  type RowOf,
  text,
  textOf,
} from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { isNotPutOff } from '#server/db/due-work.queries.ts';
import { statement } from '#server/db/statement.ts';
import type { WatchSettings } from '../watch.contract.ts';

const watch = {
  company_code: text,
  active: bool,
  cadence: textOf<'weekly' | 'monthly'>(),
  day: int4,
  horizon_days: int4,
  language: textOf<'en' | 'id'>(),
  secret: text,
  next_on: nullable(date),
  version: int4,
};
export type WatchRow = RowOf<typeof watch>;
const columns = listColumns(watch);

const insertDefaults = statement({
  text: `INSERT INTO watches (company_code, secret, secret_hash) SELECT company_code, $2, $3 FROM clients WHERE company_code = $1 FOR KEY SHARE
     ON CONFLICT (company_code) DO NOTHING`,
});

/** Stores the defaults of a company that has no watch yet. Does nothing for an unknown company. */
export async function insertWatch(
  db: Queryable,
  companyCode: string,
  { sealed, hash }: { sealed: string; hash: Buffer },
): Promise<void> {
  await insertDefaults.run(db, [companyCode, sealed, hash]);
}

export const findWatch = statement({
  text: `SELECT ${columns} FROM watches WHERE company_code = $1`,
  row: watch,
}).firstWith<[companyCode: string]>();

/** Finds a watch and locks it until the transaction ends. */
export const lockWatch = statement({
  text: `SELECT ${columns} FROM watches WHERE company_code = $1 FOR UPDATE`,
  row: watch,
}).firstWith<[companyCode: string]>();

const update = statement({
  text: `UPDATE watches SET active = $2, cadence = $3, day = $4, horizon_days = $5, language = $6, next_on = $7, version = version + 1
     WHERE company_code = $1`,
});

export async function updateWatch(
  tx: Queryable,
  companyCode: string,
  { active, cadence, day, horizon_days, language }: WatchSettings,
  nextOn: string | null,
): Promise<void> {
  await update.run(tx, [companyCode, active, cadence, day, horizon_days, language, nextOn]);
}

export const updateNextDay = statement({
  text: 'UPDATE watches SET next_on = $2 WHERE company_code = $1',
}).runWith<[companyCode: string, nextOn: string]>();

/** Notes a change of the receivers, so that a form that was read before is refused. */
export const raiseVersion = statement({
  text: 'UPDATE watches SET version = version + 1 WHERE company_code = $1',
}).runWith<[companyCode: string]>();

const updateSecretOf = statement({
  text: 'UPDATE watches SET secret = $2, secret_hash = $3 WHERE company_code = $1',
});

export async function updateSecret(
  tx: Queryable,
  companyCode: string,
  { sealed, hash }: { sealed: string; hash: Buffer },
): Promise<void> {
  await updateSecretOf.run(tx, [companyCode, sealed, hash]);
}

export const findWatchBySecret = statement({
  text: `SELECT ${listColumns(watch, 'w')}, c.company_name FROM watches w JOIN clients c USING (company_code)
     WHERE w.secret_hash = $1`,
  row: { ...watch, company_name: text },
}).firstWith<[hash: Buffer]>();

/** Locks a watch whose digest is due on `day` or was due before, unless another process has locked it. */
export const lockDue = statement({
  text: `SELECT ${columns} FROM watches WHERE next_on <= $1 AND ${isNotPutOff('digest', 'company_code')}
     ORDER BY next_on, company_code LIMIT 1 FOR UPDATE SKIP LOCKED`,
  row: watch,
}).firstWith<[day: string]>();
