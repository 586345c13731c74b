import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openMailer } from '#server/mail/mail.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { takeMails } from '#tests/support/api/outbox.ts';
import { sendWatchMails } from './send-mails.ts';
import { mailReceivers } from './watch.service.ts';

let api: TestApi;
let user: TestUser;
before(async () => {
  api = await createTestApi();
  user = await createUser(api);
});
after(() => api.close());

const settings = { active: true, cadence: 'weekly', day: 1, horizon_days: 30, language: 'en' };
const ask = async (call: string, body?: object) => {
  const answer = await api.send(call, { token: user.token, body });
  assert.ok(answer.statusCode < 300, answer.body);
  return answer.json();
};
const put = async (receivers: string[], language = 'en') => {
  const stored = await ask(`PUT /api/watch/${user.companyCode}`, { ...settings, language, receivers });
  return [stored.receivers, stored.unconfirmed];
};
const read = async () => {
  const { receivers, unconfirmed } = await ask(`GET /api/watch/${user.companyCode}`);
  return [receivers, unconfirmed];
};
const send = async () => {
  const mailer = openMailer(api.context.config, api.context.log);
  await sendWatchMails(api.context, mailer.send).finally(() => mailer.close());
  return takeMails(api);
};
const [ayu, budi] = ['ayu@example.test', 'budi@example.test'];

/** Unsubscribes an address by its link. */
async function unsubscribe(address: string): Promise<void> {
  const { rows } = await api.context.db.query('SELECT token FROM watch_receivers WHERE address = $1', [
    address,
  ]);
  await ask(`POST /api/unsubscribe/${rows[0].token}`);
}
const mailAll = () =>
  mailReceivers(api.context.db, user.companyCode, async (locale) => ({
    content: { locale, heading: 'News', paragraphs: [] },
    fileName: null,
    file: null,
  }));

test('an address that unsubscribed stays out until it confirms by a link of its own', async () => {
  assert.deepEqual(await put([ayu, budi]), [[ayu, budi], []]);
  await unsubscribe(ayu);
  assert.deepEqual(await put([ayu.toUpperCase(), budi], 'id'), [[budi], [ayu]]);
  await mailAll();
  const mails = await send();
  assert.deepEqual(
    mails.map(({ to, subject }) => [to?.[0]?.address, subject]),
    [
      [ayu, 'Terima lagi pemantauan garansi Acme?'],
      [budi, 'News'],
    ],
  );
  const link = /\/subscribe\/([\w-]{36})/.exec(mails[0]?.text ?? '')?.[1] ?? assert.fail('no link');
  assert.deepEqual(await ask(`GET /api/subscribe/${link}`), { address: ayu, company_name: 'Acme' });
  assert.deepEqual(await read(), [[budi], [ayu]]);
  for (let time = 0; time < 2; time++) await ask(`POST /api/subscribe/${link}`);
  assert.deepEqual(await read(), [[ayu, budi], []]);
  assert.equal((await api.send(`GET /api/subscribe/${link}`)).statusCode, 404);
  await mailAll();
  assert.deepEqual(
    (await send()).map(({ to }) => to?.[0]?.address),
    [ayu, budi],
  );
});

test('entering the address again and again mails once a week, and leaving it out withdraws the link', async () => {
  await put([ayu, budi]);
  await unsubscribe(ayu);
  await put([ayu]);
  const [{ text = '' } = assert.fail()] = await send();
  const link = /\/subscribe\/([\w-]{36})/.exec(text)?.[1];
  assert.deepEqual(await put([budi]), [[budi], []]);
  assert.equal((await api.send(`GET /api/subscribe/${link}`)).statusCode, 404);
  assert.deepEqual(await put([ayu, budi]), [[budi], [ayu]]);
  assert.deepEqual(await send(), []);
  await api.context.db.query(`UPDATE watch_receivers SET asked_at = now() - interval '8 days'`);
  await put([ayu, budi]);
  assert.equal((await send()).length, 1);
  await unsubscribe(ayu);
  assert.deepEqual(await read(), [[budi], []]);
});
