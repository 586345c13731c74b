import { int4 } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/** Counts the jobs that may be fetched, are held, or wait; and the age of the oldest of the first. */
export const countQueue = statement({
  text: `SELECT count(*) FILTER (WHERE held_until IS NULL AND due_at IS NULL AND sources = '{}')::integer AS ready,
            count(*) FILTER (WHERE held_until IS NOT NULL)::integer AS active,
            count(*) FILTER (WHERE held_until IS NULL AND (due_at IS NOT NULL OR sources <> '{}'))::integer AS waiting,
            coalesce(extract(epoch FROM now() - min(queued_at) FILTER (
              WHERE held_until IS NULL AND due_at IS NULL AND sources = '{}')), 0)::integer AS oldest_seconds
     FROM lookup_jobs`,
  row: { ready: int4, active: int4, waiting: int4, oldest_seconds: int4 },
});
