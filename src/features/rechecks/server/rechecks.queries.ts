import {
  bool,
  date,
  int4,
  int8,
  listColumns,
  notNull,
  nullable,
  type RowOf,
  text,
  textOf,
} from '#server/db/column-types.ts';
import { isNotPutOff } from '#server/db/due-work.queries.ts';
import { statement } from '#server/db/statement.ts';

const recheck = {
  company_code: text,
  active: bool,
  cadence: textOf<'monthly' | 'quarterly'>(),
  view_id: nullable(int8),
  cap: int4,
  next_on: nullable(date),
  version: int4,
};
export type RecheckRow = RowOf<typeof recheck>;
const columns = listColumns(recheck);

/** Stores the defaults of a company that has no schedule yet. Does nothing for an unknown company. */
export const insertRecheck = statement({
  text: `INSERT INTO rechecks (company_code) SELECT company_code FROM clients WHERE company_code = :companyCode FOR KEY SHARE
     ON CONFLICT (company_code) DO NOTHING`,
  params: { companyCode: text },
});

export const findRecheck = statement({
  text: `SELECT ${columns} FROM rechecks WHERE company_code = :companyCode`,
  params: { companyCode: text },
  row: recheck,
});

/** Finds a schedule, which nobody else can change until the transaction ends. */
export const lockRecheck = statement({
  text: `SELECT ${columns} FROM rechecks WHERE company_code = :companyCode FOR UPDATE`,
  params: { companyCode: text },
  row: recheck,
});

export const updateRecheck = statement({
  text: `UPDATE rechecks SET active = :active, cadence = :cadence, view_id = :view_id, cap = :cap, next_on = :next_on,
       version = :version
     WHERE company_code = :company_code`,
  params: recheck,
});

/** Locks a schedule that is due on `day` or was due before, unless another process has locked it. */
export const lockDueRecheck = statement({
  text: `SELECT ${columns} FROM rechecks WHERE next_on <= :day AND ${isNotPutOff('recheck', 'company_code')}
     ORDER BY next_on, company_code LIMIT 1 FOR UPDATE SKIP LOCKED`,
  params: { day: date },
  row: { ...recheck, next_on: notNull(date) },
});
