import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Config } from './config.ts';
import type { Log } from './log.ts';

export type Mail = { to: { name: string; address: string }; subject: string; text: string; html: string };

/** Hands one message to the mail server, or writes it into the outbox; throws when that fails. */
export type SendMail = (mail: Mail) => Promise<void>;

export type Mailer = { send: SendMail; close(): void };

type MailConfig = Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'DATA_DIR'>;

/** Opens outgoing mail: the SMTP server of SMTP_URL, else `.eml` files in DATA_DIR/outbox. */
export function openMailer(config: MailConfig, log: Log): Mailer {
  return config.SMTP_URL ? openSmtp(config.SMTP_URL, config.MAIL_FROM) : openOutbox(config, log);
}

function openSmtp(url: string, from: string): Mailer {
  const transport = createTransport(
    { url, connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 },
    { from },
  );
  return {
    async send(mail) {
      await transport.sendMail(mail);
    },
    close: () => transport.close(),
  };
}

function openOutbox({ DATA_DIR, MAIL_FROM }: MailConfig, log: Log): Mailer {
  const transport = createTransport(
    { streamTransport: true, buffer: true, newline: 'windows' },
    { from: MAIL_FROM },
  );
  const outbox = join(DATA_DIR, 'outbox');
  return {
    async send(mail) {
      const { message } = await transport.sendMail(mail);
      await mkdir(outbox, { recursive: true, mode: 0o700 });
      const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
      const path = join(outbox, `${stamp}-${randomBytes(4).toString('hex')}.eml`);
      // Messages carry links that sign in; nobody else reads them, and nobody reads half of one.
      await writeFile(`${path}.part`, message as Buffer, { mode: 0o600 });
      await rename(`${path}.part`, path);
      log.info({ path }, 'a mail was written into the outbox');
    },
    close: () => transport.close(),
  };
}
