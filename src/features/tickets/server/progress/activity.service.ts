import type { Activity } from '#features/tickets/tickets.contract.ts';
import { type Caller, scopeOf } from '#server/http/caller.ts';
import type { Context } from '#server/runtime/context.ts';
import { dayIn } from '#shared/calendar-day.ts';
import type { Locale } from '#shared/locale.ts';
import { listCompletedSince, sumRunningTickets } from './activity.queries.ts';
import { describeWaiting } from './progress.service.ts';

const maxEnded = 5;

/** Reads the running tickets in the caller's scope, and the last 5 completed since an instant. */
export async function getActivity(
  { db, config, now }: Pick<Context, 'db' | 'config' | 'now'>,
  caller: Caller,
  since: string | undefined,
  locale: Locale,
): Promise<Activity> {
  const scope = scopeOf(caller);
  const today = dayIn(config.APP_TIMEZONE, now());
  const [sum, ended] = await Promise.all([
    sumRunningTickets.one(db, { scope, userId: caller.id, today }),
    // As a Date: PostgreSQL reads no year 0 and no long fraction of a second.
    listCompletedSince.all(db, {
      scope,
      since: since === undefined ? undefined : new Date(since),
      limit: maxEnded,
    }),
  ]);
  return {
    running: sum.running,
    remaining: sum.remaining,
    ticket_number: sum.ticket_number === null ? null : String(sum.ticket_number),
    only: nameOnly(sum),
    percent: sum.percent,
    ...describeWaiting(sum, locale),
    ended: ended.map((row) => ({
      ticket_number: String(row.ticket_number),
      file_name: row.file_name,
      kind: row.import_kind ?? 'order',
      total: row.total,
      date: row.created_at.toISOString(),
      at: row.finished_at.toISOString(),
    })),
    revision: sum.revision,
    register_revision: sum.register_revision,
    fields_revision: sum.fields_revision,
    today,
    as_of: sum.as_of.toISOString(),
  };
}

function nameOnly(sum: Awaited<ReturnType<typeof sumRunningTickets.one>>): Activity['only'] {
  const { running, file_name, import_kind: kind, total, created_at } = sum;
  if (running !== 1 || total === null || created_at === null) return null;
  return { file_name, kind: kind ?? 'order', total, date: created_at.toISOString() };
}
