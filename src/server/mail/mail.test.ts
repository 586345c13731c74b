import assert from 'node:assert/strict';
import { test } from 'node:test';
import PostalMime from 'postal-mime';
import { createLog } from '#server/runtime/log.ts';
import { startSmtp } from '#tests/support/mail/smtp-server.ts';
import { openMailer } from './mail.ts';

const log = createLog('test', 'silent');
const mail = {
  to: { name: 'Ayu, "A"', address: 'ayu@localhost' },
  subject: 'Kata sandi – baru',
  text: 'Selamat pagi ☀\n.\nbaris',
  html: '<p>Selamat pagi ☀</p>',
};

const config = { MAIL_FROM: 'a@example.test', DATA_DIR: '/nowhere', ALLOW_PRIVATE_SMTP: false };

test('a mail is sent by SMTP', async () => {
  const smtp = await startSmtp();
  const mailer = openMailer(
    { ...config, SMTP_URL: smtp.url, MAIL_FROM: 'Coverdesk <coverdesk@example.test>' },
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

test('a name with line breaks adds no recipient and no header', async () => {
  const smtp = await startSmtp();
  const mailer = openMailer({ ...config, SMTP_URL: smtp.url }, log);
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

test('sending fails when the server refuses the mail', async () => {
  const smtp = await startSmtp({ refuse: true });
  const mailer = openMailer({ ...config, SMTP_URL: smtp.url }, log);
  try {
    await assert.rejects(mailer.send(mail), /no such box/);
    assert.deepEqual(smtp.got, []);
  } finally {
    mailer.close();
    await smtp.close();
  }
});

test('a mail is sent by SMTP over TLS', async () => {
  const smtp = await startSmtp({ secure: true });
  const url = `smtps://localhost:${smtp.port}`;
  const trusting = openMailer({ ...config, SMTP_URL: `${url}?tls.rejectUnauthorized=false` }, log);
  const careful = openMailer({ ...config, SMTP_URL: url }, log);
  try {
    await trusting.send(mail);
    assert.equal(smtp.got.length, 1);
    await assert.rejects(careful.send(mail), /certificate/);
    assert.equal(smtp.got.length, 1);
  } finally {
    trusting.close();
    careful.close();
    await smtp.close();
  }
});

test('no mail is sent to a special address, nor by name to a private network', async () => {
  const smtp = await startSmtp();
  const send = async (host: string, allowed = false) => {
    const SMTP_URL = `smtp://${host}:${smtp.port}`;
    const mailer = openMailer({ ...config, SMTP_URL, ALLOW_PRIVATE_SMTP: allowed }, log);
    await mailer.send(mail).finally(() => mailer.close());
  };
  try {
    for (const host of ['169.254.169.254', '[::ffff:169.254.169.254]', '0.0.0.0', '100.100.100.200']) {
      await assert.rejects(send(host, true), /is not allowed$/, host);
    }
    // The system resolves these names to an address of this machine.
    for (const name of ['2130706433', '0x7f000001', '127.1']) {
      await assert.rejects(send(name), /127\.0\.0\.1 is private.*ALLOW_PRIVATE_SMTP/, name);
    }
    assert.equal(smtp.got.length, 0);
    await send('2130706433', true);
    await send('localhost');
    await send('127.0.0.1');
    assert.equal(smtp.got.length, 3);
  } finally {
    await smtp.close();
  }
});
