import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#server/runtime/log.ts';
import { retryPause } from '#server/runtime/retry-pause.ts';
import type { Mail, SendMail } from './mail.ts';

/** Stored mails of one kind that wait until they are sent. */
export type WaitingMails<T extends { id: number; attempts: number }> = {
  /** How long no other process takes a mail that was taken. */
  leaseSeconds: number;
  /** Takes the mail that waits longest; undefined without one. */
  take: () => Promise<T | undefined>;
  /** Writes a taken mail; undefined if it is not due any more. */
  write: (waitingMail: T) => Mail | Promise<Mail | undefined>;
  deleteSent: (waitingMail: T, sent: Mail) => Promise<unknown>;
  /** Ends a mail that is not due any more, or failed too often. */
  giveUp: (id: number) => Promise<unknown>;
  /** Ends an attempt. The next one may begin after so many seconds. */
  postpone: (waitingMail: Pick<T, 'id' | 'attempts'>, seconds: number) => Promise<unknown>;
  /** Names a mail that failed, for the log. */
  describe: (waitingMail: T) => Record<string, unknown>;
  /** The log's message about a failure. */
  failure: string;
};

const deletionPauseMs = 1000;

/**
 * Sends all mails that wait. One that cannot be sent is tried again later, and does not delay the others. A crash after a
 * mail was sent and before it was deleted sends it once more, with the same Message-ID.
 * @param signal aborts when the process ends
 * @throws the failure of the database
 */
export async function sendWaitingMails<T extends { id: number; attempts: number }>(
  log: Log,
  sendMail: SendMail,
  mails: WaitingMails<T>,
  signal?: AbortSignal,
): Promise<void> {
  while (!signal?.aborted) {
    const leaseEndsAt = performance.now() + mails.leaseSeconds * 1000;
    const waitingMail = await mails.take();
    if (!waitingMail) return;
    const { id, attempts } = waitingMail;
    let mail: Mail | undefined;
    try {
      mail = await mails.write(waitingMail);
      if (mail) await sendMail(mail);
    } catch (err) {
      if (signal?.aborted) {
        // The stop broke the attempt off, so it does not count.
        await mails.postpone({ id, attempts: attempts - 1 }, 0);
        return;
      }
      log.error({ err, ...mails.describe(waitingMail), attempts }, mails.failure);
      const pause = retryPause(attempts);
      if (pause === undefined) await mails.giveUp(id);
      else await mails.postpone(waitingMail, pause);
      continue;
    }
    const sent = mail;
    if (sent) await repeatDeletion(() => mails.deleteSent(waitingMail, sent), leaseEndsAt, signal);
    else await mails.giveUp(id);
  }
}

/** Repeats a deletion that fails, until another process may take the mail: it has left, and would be sent again. */
async function repeatDeletion(
  remove: () => Promise<unknown>,
  leaseEndsAt: number,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      await remove();
      return;
    } catch (err) {
      if (performance.now() + deletionPauseMs > leaseEndsAt || signal?.aborted) throw err;
      await delay(deletionPauseMs);
    }
  }
}
