import type { TicketStatus } from '#features/tickets/ticket-status.shared.ts';
import {
  bool,
  date,
  float8,
  int4,
  int8,
  notNull,
  nullable,
  type RowOf,
  text,
  textOf,
  timestamptz,
} from '#server/db/column-types.ts';
import { type Db, inTransaction } from '#server/db/db.ts';
import { isNotPutOff } from '#server/db/due-work.queries.ts';
import { hasCome } from '#server/db/has-come.ts';
import { statement } from '#server/db/statement.ts';
import { maxPauseSeconds } from '#server/runtime/retry-pause.ts';

/** Returns the key under which the ticket of a run is imported, at most once. */
export const runKeyOf = (runId: number) => `recheck ${runId}`;

/** A run with its own import, if that is stored. */
const runsWithImport = `recheck_runs r LEFT JOIN own_imports o ON o.key = 'recheck ' || r.id`;

/**
 * Longer than an import may wait and run. When it has expired after a crash, the run starts again, or a new one can be
 * started by hand.
 */
const leaseSeconds = 600;

/**
 * Makes the SQL of whether a run of a company makes its ticket at this moment.
 * @param company the expression of its code
 */
const isCreatingTicket = (company: string) => `EXISTS (
       SELECT FROM recheck_runs m LEFT JOIN own_imports i ON i.key = 'recheck ' || m.id
       WHERE m.company_code = ${company} AND m.refusal IS NULL AND i.key IS NULL AND NOT coalesce(${hasCome('m.making_until', leaseSeconds)}, true))`;

/**
 * Makes the SQL of the newest recheck ticket of a company: its number, and whether it runs. A run of the schedule that is
 * tried again may make a later ticket than the next run.
 * @param company the expression of its code
 */
const latestTicket = (
  company: string,
) => `SELECT t.ticket_number, t.status IN ('Pending', 'Processing') AS running
     FROM recheck_runs l JOIN own_imports i ON i.key = 'recheck ' || l.id JOIN tickets t ON t.ticket_number = i.ticket_number
     WHERE l.company_code = ${company} ORDER BY t.ticket_number DESC LIMIT 1`;

/** SQL: whether a run `r` is of a schedule, and has neither a ticket nor a refusal. */
const isWaiting = `r.due_on IS NOT NULL AND r.refusal IS NULL
  AND NOT EXISTS (SELECT FROM own_imports WHERE key = 'recheck ' || r.id)`;

/** Stores a run of a schedule. Does nothing if its day has one already. */
export const insertRun = statement({
  text: `INSERT INTO recheck_runs (company_code, due_on, started_at) VALUES (:companyCode, :dueOn, :now)
     ON CONFLICT (company_code, due_on) DO NOTHING`,
  params: { companyCode: text, dueOn: date, now: timestamptz },
});

/**
 * Deletes the runs of a company's schedule that wait to make their ticket. Call it while the schedule is locked, under which
 * they begin.
 */
export const deleteWaitingRuns = statement({
  text: `DELETE FROM recheck_runs r WHERE company_code = :companyCode AND ${isWaiting}
       AND coalesce(${hasCome('r.making_until', leaseSeconds)}, true)`,
  params: { companyCode: text },
});

/**
 * Stores a run by hand, whose ticket has to be made before the lease ends. Call it while the schedule is locked.
 * @returns its id
 */
export const insertRunByHand = statement({
  text: `INSERT INTO recheck_runs (company_code, started_at, making_until)
     VALUES (:companyCode, :now, now() + interval '${leaseSeconds} seconds') RETURNING id`,
  params: { companyCode: text, now: timestamptz },
  row: { id: int8 },
});

/** Finds whether a run of a company makes its ticket at this moment. */
export const isRunCreatingTicket = statement({
  text: `SELECT ${isCreatingTicket(':companyCode')} AS found`,
  params: { companyCode: text },
  row: { found: notNull(bool) },
});

const dueRun = { id: int8, company_code: text, due_on: notNull(date), attempts: int4 };
export type DueRun = RowOf<typeof dueRun>;

/**
 * SQL: whether the devices of a company are being checked again, by a run that makes its ticket or by the latest ticket.
 * @param company the expression of its code
 */
const isRechecking = (company: string) =>
  `(${isCreatingTicket(company)} OR coalesce((SELECT l.running FROM (${latestTicket(company)}) l), false))`;

/** Finds whether the devices of a company are being checked again at this moment. */
export const isRecheckRunning = statement({
  text: `SELECT ${isRechecking(':companyCode')} AS found`,
  params: { companyCode: text },
  row: { found: notNull(bool) },
});

/** SQL: whether a run `r` of a schedule has to make its ticket. */
const isDue = `${isWaiting} AND ${hasCome('r.next_at', maxPauseSeconds)} AND NOT ${isRechecking('r.company_code')}`;

/** Locks the schedule of a run that is due, as a run by hand does. */
const lockScheduleOfDueRun = statement({
  text: `SELECT r.id FROM recheck_runs r JOIN rechecks s USING (company_code) WHERE ${isDue}
     ORDER BY r.next_at, r.id LIMIT 1 FOR UPDATE OF s SKIP LOCKED`,
  row: { id: int8 },
});

const take = statement({
  text: `UPDATE recheck_runs r SET attempts = attempts + 1, making_until = now() + interval '${leaseSeconds} seconds'
     WHERE id = :id AND ${isDue} RETURNING id, company_code, due_on, attempts`,
  params: { id: int8 },
  row: dueRun,
});

/** Takes a due run of a schedule. No other one of the company begins until it or its lease ends. */
export async function takeDueRun(db: Db): Promise<DueRun | undefined> {
  return inTransaction(db, async (tx) => {
    const due = await lockScheduleOfDueRun.first(tx);
    // Another run may have begun before the schedule was locked.
    return due && take.first(tx, due);
  });
}

/** Ends an attempt to make the ticket of a run. The next one may begin after so many seconds. */
export const postponeRun = statement({
  text: `UPDATE recheck_runs SET next_at = now() + make_interval(secs => :seconds), making_until = NULL WHERE id = :id`,
  params: { id: int8, seconds: float8 },
});

/** Ends a run, unless another process has made its ticket. @param count the number of devices, if that is the reason */
export const refuseRun = statement({
  text: `UPDATE recheck_runs SET refusal = :code, refused_count = :count
     WHERE id = :id AND NOT EXISTS (SELECT FROM own_imports WHERE key = 'recheck ' || recheck_runs.id)`,
  params: { id: int8, code: text, count: nullable(int4) },
});

const endedRun = {
  id: int8,
  company_code: text,
  due_on: nullable(date),
  refusal: nullable(text),
  refused_count: nullable(int4),
  ticket_number: nullable(text),
  made_at: timestamptz,
  total: int4,
  checked: int4,
  cancelled: bool,
};
export type EndedRun = RowOf<typeof endedRun>;

/**
 * Locks a run that ended and was not reported yet: without a ticket, or with all results of its Completed or Cancelled ticket
 * registered.
 */
export const lockUnreportedRun = statement({
  text: `SELECT r.id, r.company_code, r.due_on, r.refusal, r.refused_count,
       t.ticket_number::text AS ticket_number, coalesce(t.created_at, r.started_at) AS made_at, coalesce(t.total, 0) AS total, coalesce(t.done + t.failed, 0) AS checked,
       coalesce(t.status = 'Cancelled', false) AS cancelled
     FROM ${runsWithImport} LEFT JOIN tickets t ON t.ticket_number = o.ticket_number
     WHERE NOT r.reported AND (r.refusal IS NOT NULL OR t.status IN ('Completed', 'Cancelled'))
       AND NOT EXISTS (SELECT FROM unregistered_results u WHERE u.ticket_id = t.id)
       AND ${isNotPutOff('recheck report', 'r.id')}
     ORDER BY r.id LIMIT 1 FOR UPDATE OF r SKIP LOCKED`,
  row: endedRun,
});

export const markReported = statement({
  text: 'UPDATE recheck_runs SET reported = true WHERE id = :id',
  params: { id: int8 },
});

const runRow = {
  started_at: timestamptz,
  due_on: nullable(date),
  refusal: nullable(text),
  refused_count: nullable(int4),
  ticket_number: nullable(text),
  status: nullable(textOf<TicketStatus>()),
};
export type RunRow = RowOf<typeof runRow>;

/** Lists the latest runs of a company that made a ticket, or whose schedule made none; newest first. */
export const listRuns = statement({
  text: `SELECT r.started_at, r.due_on, r.refusal, r.refused_count, t.ticket_number::text AS ticket_number, t.status::text AS status
     FROM ${runsWithImport} LEFT JOIN tickets t ON t.ticket_number = o.ticket_number
     WHERE r.company_code = :companyCode AND (r.refusal IS NOT NULL OR t.id IS NOT NULL) ORDER BY r.id DESC LIMIT :most`,
  params: { companyCode: text, most: int8 },
  row: runRow,
});

/** Finds the newest recheck ticket of a company. */
export const findLatestTicket = statement({
  text: latestTicket(':companyCode'),
  params: { companyCode: text },
  row: { ticket_number: int8, running: notNull(bool) },
});
