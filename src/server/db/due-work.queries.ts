import { int4, text, textOf } from './column-types.ts';
import { hasCome } from './has-come.ts';
import { statement } from './statement.ts';

/** The kinds of work that is stored by subject and due at a time. */
export type WorkKind =
  | 'digest'
  | 'recheck'
  | 'recheck report'
  | 'reminder'
  | 'completed ticket'
  | 'waiting ticket'
  | 'old uploads'
  | 'old results';

const maxPauseSeconds = 4 * 3600;

/** SQL condition: the work of a subject is not put off. @param subject an SQL expression */
export const isNotPutOff = (kind: WorkKind, subject: string) =>
  `NOT EXISTS (SELECT FROM put_off_work p WHERE p.kind = '${kind}' AND p.subject = ${subject}::text AND NOT ${hasCome('p.next_at', maxPauseSeconds)})`;

/** Puts the work of a subject off: for a minute, doubling to 4 hours. @returns the number of attempts */
export const putOff = statement({
  text: `WITH over AS (DELETE FROM put_off_work WHERE next_at < now() - interval '30 days')
     INSERT INTO put_off_work AS p (kind, subject, attempts, next_at) VALUES (:kind, :subject, 1, now() + interval '1 minute')
     ON CONFLICT (kind, subject) DO UPDATE SET attempts = p.attempts + 1,
       next_at = now() + least(interval '${maxPauseSeconds} seconds', interval '1 minute' * 2 ^ least(p.attempts, 10))
     RETURNING attempts`,
  params: { kind: textOf<WorkKind>(), subject: text },
  row: { attempts: int4 },
});

/** Forgets earlier failures of a subject's work. */
export const deletePutOff = statement({
  text: 'DELETE FROM put_off_work WHERE kind = :kind AND subject = :subject',
  params: { kind: textOf<WorkKind>(), subject: text },
});
