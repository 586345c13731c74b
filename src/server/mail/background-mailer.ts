import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/runtime/context.ts';
import { type Mail, openMailer, type SendMail } from './mail.ts';

/** Sends mails after their calls were answered. */
export type BackgroundMailer = {
  /** Sends a stored mail, once. */
  send: SendMail;
  /**
   * Starts work that sends mails that are not stored. `send` tries them again for some minutes, while the process runs. A
   * failure is logged.
   * @param what names the mail in the log, as "a reset link"
   */
  run(what: string, work: (send: SendMail) => Promise<void>): void;
};

const retryPausesMs = [15_000, 60_000, 240_000];
/** A mail waits in memory between its tries. */
const maxWaitingMails = 100;

/** Opens a mailer that the API closes when all started work has ended. */
export function openBackgroundMailer(
  app: FastifyInstance,
  { config, log }: Pick<Context, 'config' | 'log'>,
  pausesMs = retryPausesMs,
): BackgroundMailer {
  const mailer = openMailer(config, log);
  const running = new Set<Promise<void>>();
  const closing = new AbortController();
  app.addHook('onClose', async () => {
    closing.abort();
    await Promise.all(running);
    mailer.close();
  });
  const sendPatiently = async (what: string, unnamed: Mail) => {
    // The same in all tries, so that mail systems can drop a copy.
    const mail = { messageId: `<${randomUUID()}@coverdesk>`, ...unnamed };
    for (let tries = 0; ; tries++) {
      try {
        return await mailer.send(mail);
      } catch (err) {
        const pause = pausesMs[tries];
        if (pause === undefined || running.size > maxWaitingMails || closing.signal.aborted) throw err;
        log.warn({ err }, `${what} could not be mailed and is tried again`);
        await delay(pause, undefined, { signal: closing.signal }).catch(() => {
          throw err;
        });
      }
    }
  };
  return {
    send: mailer.send,
    run(what, work) {
      const mailing = work((mail) => sendPatiently(what, mail))
        .catch((error: Error) => log.error({ err: error }, `${what} could not be mailed`))
        .finally(() => running.delete(mailing));
      running.add(mailing);
    },
  };
}
