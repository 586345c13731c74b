import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { createLog } from './log.ts';
import { openMailer } from './mail.ts';

const log = createLog('test', 'silent');
const mail = {
  to: { name: 'Ayu, "A"', address: 'ayu@localhost' },
  subject: 'Kata sandi – baru',
  text: 'Selamat pagi ☀\n.\nbaris',
  html: '<p>Selamat pagi ☀</p>',
};

/** A real SMTP server on a free port that keeps what it gets. */
async function startSmtp(refuse = false) {
  const got: { from: string; to: string[]; raw: Buffer }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) => done(refuse ? new Error('no such box') : null),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        got.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks),
        });
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    got,
    url: `smtp://127.0.0.1:${port}`,
    close: () => new Promise<void>((done) => server.close(done)),
  };
}

test('a mail goes out by SMTP', async () => {
  const smtp = await startSmtp();
  const mailer = openMailer(
    { SMTP_URL: smtp.url, MAIL_FROM: 'Coverdesk <coverdesk@example.test>', DATA_DIR: '/nowhere' },
    log,
  );
  try {
    await mailer.send(mail);
    const [message] = smtp.got;
    assert.equal(message?.from, 'coverdesk@example.test');
    assert.deepEqual(message.to, ['ayu@localhost']);
    const parsed = await PostalMime.parse(message.raw);
    assert.equal(parsed.from?.name, 'Coverdesk');
    assert.deepEqual(parsed.to, [{ name: 'Ayu, "A"', address: 'ayu@localhost' }]);
    assert.equal(parsed.subject, mail.subject);
    assert.equal(parsed.text?.trim(), mail.text);
    assert.equal(parsed.html?.trim(), mail.html);
  } finally {
    mailer.close();
    await smtp.close();
  }
});

test('a name of several lines adds no receiver and no header', async () => {
  const smtp = await startSmtp();
  const mailer = openMailer({ SMTP_URL: smtp.url, MAIL_FROM: 'a@example.test', DATA_DIR: '/nowhere' }, log);
  const name = 'Ayu\r\nBcc: other@example.test\r\nX-Added: yes\r\n\r\nbody';
  try {
    await mailer.send({ ...mail, to: { name, address: 'ayu@localhost' } });
    const [message] = smtp.got;
    assert.deepEqual(message?.to, ['ayu@localhost']);
    const { headers, text } = await PostalMime.parse(message?.raw ?? '');
    assert.deepEqual(
      headers.filter(({ key }) => ['bcc', 'x-added'].includes(key)),
      [],
    );
    assert.equal(text?.trim(), mail.text);
  } finally {
    mailer.close();
    await smtp.close();
  }
});

test('a mail that the server refuses is an error of the sender', async () => {
  const smtp = await startSmtp(true);
  const mailer = openMailer({ SMTP_URL: smtp.url, MAIL_FROM: 'a@example.test', DATA_DIR: '/nowhere' }, log);
  try {
    await assert.rejects(mailer.send(mail), /no such box/);
    assert.deepEqual(smtp.got, []);
  } finally {
    mailer.close();
    await smtp.close();
  }
});
