import {
  array,
  bool,
  float8,
  int4,
  int8,
  jsonb,
  nullable,
  type RowOf,
  text,
  timestamptz,
} from '#server/db/column-types.ts';
import { hasCome } from '#server/db/has-come.ts';
import { statement } from '#server/db/statement.ts';

/** The pauses between the attempts, in seconds: a little over 24 hours together. */
export const pauseSeconds = [5, 60, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 29_700];
const maxPauseSeconds = Math.max(...pauseSeconds);
/** Longer waits that a receiver asks for are shortened to this, in seconds. */
export const maxWaitSeconds = 3600;

/** Returns whether any delivery is due, whose turn it may not be yet. */
export const hasDueDeliveries = statement({
  name: 'has-due-deliveries',
  text: `SELECT EXISTS (SELECT FROM webhook_deliveries WHERE status = 'waiting' AND ${hasCome('next_at', maxPauseSeconds)}) AS found`,
  row: { found: bool },
});

/** The deliveries of webhook `w` that are due. The later ones of a subject wait for its first. */
const fromDue = `FROM webhook_deliveries d
  WHERE d.webhook_id = w.id AND d.status = 'waiting' AND ${hasCome('d.next_at', maxPauseSeconds)} AND NOT EXISTS (
    SELECT FROM webhook_deliveries e
    WHERE e.webhook_id = w.id AND e.subject = d.subject AND e.status = 'waiting' AND e.id < d.id)`;
const firstDue = `SELECT d.id ${fromDue} ORDER BY d.id LIMIT 1`;

/**
 * Locks the webhook with a due delivery whose turn it is: the one that was served longest ago.
 * @param withSlow whether it may be a slow one
 * @param busyCompanies companies whose webhooks have to wait; '' for the superadmins
 */
export const lockNextWebhook = statement({
  name: 'lock-next-webhook',
  text: `SELECT w.id, w.slow FROM webhooks w
     WHERE ${hasCome('w.busy_until', maxWaitSeconds)} AND (NOT w.slow OR :withSlow) AND NOT coalesce(w.company_code, '') = ANY (:busyCompanies::text[])
       AND EXISTS (${firstDue})
     ORDER BY w.busy_until LIMIT 1 FOR NO KEY UPDATE OF w SKIP LOCKED`,
  params: { withSlow: bool, busyCompanies: array(text) },
  row: { id: int8, slow: bool },
});

const attempt = {
  id: int8,
  webhook_id: int8,
  company_code: nullable(text),
  url: text,
  secret: text,
  old_secret: nullable(text),
  event: text,
  at: timestamptz,
  path: text,
  data: jsonb<Record<string, unknown>>(),
  attempts: int4,
  tries: int4,
  /** The end of the webhook's lease. */
  lease_until: timestamptz,
};

/** A delivery to attempt now. */
export type Attempt = RowOf<typeof attempt>;

/**
 * Takes the first due delivery of a locked webhook. No other process delivers to the webhook for so many seconds. This lease
 * ends at a whole millisecond, so that a `Date` can hold it. Time in which a delivery was due but no process ran does not
 * count as failing.
 * @returns undefined if it was delivered since the webhook was found
 */
export const takeDelivery = statement({
  name: 'take-delivery',
  text: `WITH leased AS (
       UPDATE webhooks w SET busy_until = (now() + make_interval(secs => :leaseSeconds))::timestamptz(3),
         failing_since = failing_since + (now() - least(now(), greatest(busy_until, coalesce((SELECT min(d.next_at) ${fromDue}), now()))))
       WHERE id = :webhookId RETURNING *)
     UPDATE webhook_deliveries d SET attempts = attempts + 1, tries = tries + 1, attempted_at = now()
     FROM leased w WHERE d.id = (${firstDue})
     RETURNING d.id, d.webhook_id, w.company_code, w.url, w.secret,
       CASE WHEN w.old_secret_until > now() THEN w.old_secret END AS old_secret, d.event, d.at, d.path, d.data, d.attempts, d.tries, w.busy_until AS lease_until`,
  params: { webhookId: int8, leaseSeconds: float8 },
  row: attempt,
});

/** How an attempt ended. */
export type AttemptResult = {
  isDelivered: boolean;
  durationMs: number;
  status: number | null;
  body: string | null;
  error: string | null;
  /** The pause that the receiver asked for (`Retry-After`). It holds back every message of the webhook. */
  waitSeconds: number;
};

/**
 * Stores how an attempt ended, unless the delivery was taken again since, after the lease had ended. A delivery that was
 * given up since is not attempted again.
 * @param pauseSeconds the pause before the next attempt; null to give up
 */
export const endAttempt = statement({
  text: `UPDATE webhook_deliveries SET
       status = CASE WHEN :isDelivered THEN 'delivered' WHEN :pauseSeconds::integer IS NULL THEN 'failed' ELSE status END,
       next_at = now() + make_interval(secs => coalesce(:pauseSeconds, 0)),
       duration_ms = :durationMs, response_status = :status, response_body = :body, error = :error
     WHERE id = :id AND attempts = :attempts`,
  params: {
    id: int8,
    attempts: int4,
    isDelivered: bool,
    pauseSeconds: nullable(int4),
    durationMs: int4,
    status: nullable(int4),
    body: nullable(text),
    error: nullable(text),
  },
});

/**
 * Ends the lease of a webhook, after so many seconds, and notes whether it works.
 * @returns whether it is active and has failed for so many hours; undefined if it was deleted, or has another address than
 *   the attempt had
 */
export const releaseWebhook = statement({
  text: `UPDATE webhooks SET busy_until = clock_timestamp() + make_interval(secs => :waitSeconds), slow = :isSlow,
       failing_since = CASE WHEN :isDelivered THEN NULL ELSE coalesce(failing_since, now()) END
     WHERE id = :id AND url = :url
     RETURNING active AND failing_since <= now() - make_interval(hours => :deadHours) AS is_dead, company_code`,
  params: { id: int8, url: text, isDelivered: bool, isSlow: bool, deadHours: int4, waitSeconds: float8 },
  row: { is_dead: nullable(bool), company_code: nullable(text) },
});

/** Ends the lease of a webhook, unless an attempt began after it had ended. */
export const endLease = statement({
  text: 'UPDATE webhooks SET busy_until = clock_timestamp() WHERE id = :id AND busy_until <= :leaseUntil',
  params: { id: int8, leaseUntil: timestamptz },
});

/** Switches a webhook off, with a mail to send. */
export const switchOffWebhook = statement({
  text: `UPDATE webhooks SET active = false, switched_off_at = now(), mail_at = now(), version = version + 1
     WHERE id = :id`,
  params: { id: int8 },
});
