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
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const recheck = {
  company_code: text,
  active: bool,
  cadence: textOf<'monthly' | 'quarterly'>(),
  view_id: nullable(int8),
  cap: int4,
  next_on: nullable(date),
};
export type RecheckRow = RowOf<typeof recheck>;
const columns = listColumns(recheck);

const insertDefaults = statement({
  text: `INSERT INTO rechecks (company_code) SELECT company_code FROM clients WHERE company_code = $1 FOR KEY SHARE
     ON CONFLICT (company_code) DO NOTHING`,
});

/** Stores the defaults of a company that has no schedule yet. Does nothing for an unknown company. */
export async function insertRecheck(db: Queryable, companyCode: string): Promise<void> {
  await insertDefaults.run(db, [companyCode]);
}

const find = statement({ text: `SELECT ${columns} FROM rechecks WHERE company_code = $1`, row: recheck });

export function findRecheck(db: Queryable, companyCode: string): Promise<RecheckRow | undefined> {
  return find.first(db, [companyCode]);
}

const lock = statement({
  text: `SELECT ${columns} FROM rechecks WHERE company_code = $1 FOR UPDATE`,
  row: recheck,
});

/** Finds a schedule, which nobody else can change until the transaction ends. */
export function lockRecheck(tx: Queryable, companyCode: string): Promise<RecheckRow | undefined> {
  return lock.first(tx, [companyCode]);
}

const update = statement({
  text: `UPDATE rechecks SET active = $2, cadence = $3, view_id = $4, cap = $5, next_on = $6 WHERE company_code = $1`,
});

export async function updateRecheck(tx: Queryable, row: RecheckRow): Promise<void> {
  const { company_code, active, cadence, view_id, cap, next_on } = row;
  await update.run(tx, [company_code, active, cadence, view_id, cap, next_on]);
}

const lockDue = statement({
  text: `SELECT ${columns} FROM rechecks WHERE next_on <= $1 ORDER BY next_on, company_code LIMIT 1 FOR UPDATE SKIP LOCKED`,
  row: { ...recheck, next_on: notNull(date) },
});

/** Locks a schedule that is due on `day` or was due before, unless another process has locked it. */
export function lockDueRecheck(tx: Queryable, day: string) {
  return lockDue.first(tx, [day]);
}
