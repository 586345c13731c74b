import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { isIP, type Socket } from 'node:net';
import { join } from 'node:path';
import { isLoopbackHost } from '#server/egress/addresses.ts';
import { AddressRefused, openTcp } from '#server/egress/connect.ts';
import type { Config } from '#server/runtime/config.ts';
import type { Log } from '#server/runtime/log.ts';

export type Mail = {
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
  /** Stays the same when a message is sent again, so that mail systems can drop the copy. */
  messageId?: string;
  headers?: Record<string, string>;
  attachments?: { filename: string; content: Buffer; contentType: string }[];
};

/** Sends a message to the mail server, or writes it into the outbox. @throws Error */
export type SendMail = (mail: Mail) => Promise<void>;

export type Mailer = { send: SendMail; close(): void };

type MailConfig = Pick<Config, 'SMTP_URL' | 'ALLOW_PRIVATE_SMTP' | 'MAIL_FROM' | 'DATA_DIR'>;

/** Creates the mailer: the SMTP server of SMTP_URL, or else `.eml` files in DATA_DIR/outbox. */
export function openMailer(config: MailConfig, log: Log): Mailer {
  let opened: Promise<Mailer> | undefined;
  // Loaded with the first message, to save memory and start time.
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    return config.SMTP_URL
      ? openSmtp(createTransport, config.SMTP_URL, config)
      : openOutbox(createTransport, config, log);
  };
  return {
    async send(mail) {
      opened ??= open().catch((error) => {
        opened = undefined;
        throw error;
      });
      await (await opened).send(mail);
    },
    close: () =>
      void opened?.then(
        (mailer) => mailer.close(),
        () => undefined,
      ),
  };
}

type CreateTransport = typeof import('nodemailer').createTransport;

/**
 * Connects to the mail server, and signs in there, as a mail does.
 * @param url SMTP_URL
 * @throws Error if no mail can be sent
 */
export async function requireMailServer(url: string, config: MailConfig): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const transport = createSmtpTransport(createTransport, url, config);
  await transport.verify().finally(() => transport.close());
}

function openSmtp(createTransport: CreateTransport, url: string, config: MailConfig): Mailer {
  const transport = createSmtpTransport(createTransport, url, config);
  return {
    async send(mail) {
      await transport.sendMail(mail);
    },
    close: () => transport.close(),
  };
}

function createSmtpTransport(
  createTransport: CreateTransport,
  url: string,
  { MAIL_FROM, ALLOW_PRIVATE_SMTP }: MailConfig,
) {
  return createTransport(
    {
      url,
      connectionTimeout: 15_000,
      greetingTimeout: 15_000,
      socketTimeout: 60_000,
      getSocket: (_options, callback) => {
        connectToMailServer(url, ALLOW_PRIVATE_SMTP).then(
          (connection) => callback(null, { connection }),
          callback,
        );
      },
    },
    { from: MAIL_FROM },
  );
}

/** @throws Error that names the host */
async function connectToMailServer(url: string, allowPrivate: boolean): Promise<Socket> {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  // An address was chosen by the operator, but a name may be resolved by others to a private one.
  const mayBePrivate = allowPrivate || isIP(host) !== 0 || isLoopbackHost(host);
  const server = Number(port) || (protocol === 'smtps:' ? 465 : 587);
  return await openTcp(host, server, mayBePrivate ? 'private' : 'public').catch((error: Error) => {
    const isPrivate = error instanceof AddressRefused && error.kind !== 'special';
    const way = isPrivate ? '; with ALLOW_PRIVATE_SMTP=1 mail goes there' : '';
    throw new Error(`${host}: ${error.message}${way}`, { cause: error });
  });
}

function openOutbox(createTransport: CreateTransport, { DATA_DIR, MAIL_FROM }: MailConfig, log: Log): Mailer {
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
      // Mode 0600, because messages contain reset links. Renamed when complete.
      await writeFile(`${path}.part`, message as Buffer, { mode: 0o600 });
      await rename(`${path}.part`, path);
      log.info({ path }, 'a mail was written into the outbox');
    },
    close: () => transport.close(),
  };
}
