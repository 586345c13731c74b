import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/runtime/context.ts';
import { openMailer, type SendMail } from './mail.ts';

/** Sends mails after their calls were answered. */
export type BackgroundMailer = {
  send: SendMail;
  /** Starts work that sends mails. A failure is logged. @param what names the mail in the log, as "a reset link" */
  run(what: string, work: () => Promise<void>): void;
};

/** Opens a mailer that the API closes when all started work has ended. */
export function openBackgroundMailer(
  app: FastifyInstance,
  { config, log }: Pick<Context, 'config' | 'log'>,
): BackgroundMailer {
  const mailer = openMailer(config, log);
  const running = new Set<Promise<void>>();
  app.addHook('onClose', async () => {
    await Promise.all(running);
    mailer.close();
  });
  return {
    send: mailer.send,
    run(what, work) {
      const mailing = work()
        .catch((error: Error) => log.error({ err: error }, `${what} could not be mailed`))
        .finally(() => running.delete(mailing));
      running.add(mailing);
    },
  };
}
