import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { WebhookDelivery } from '#features/webhooks/webhooks.contract.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { raceForLock } from '#tests/support/database/race.ts';
import { createReceiverConnections, sendMessage } from './send-message.ts';

let api: TestApi;
before(async () => {
  api = await createTestApi({ ALLOW_PRIVATE_WEBHOOKS: '1' });
});
after(() => api.close());

const create = async ({ token }: TestUser) => {
  const body = { url: 'http://127.0.0.1:9/hook', events: ['ticket.completed'], active: false };
  return (await api.send('POST /api/webhooks', { token, body })).json<{ _id: string }>()._id;
};
const send = ({ token }: TestUser, path: string) => api.send(`POST /api/webhooks/${path}`, { token });

/** Sends calls that meet before any of them is recorded. @returns their answers by status, because any of them may be first */
async function sendTogether(who: TestUser, paths: string[]) {
  const answers = await raceForLock(
    api.context.db,
    ['LOCK TABLE audit_log IN SHARE MODE', []],
    paths.map((path) => () => send(who, path)),
  );
  return answers.toSorted((one, other) => one.statusCode - other.statusCode);
}

test('a company has 20 tests of its webhooks in ten minutes, and 100 repeated deliveries', async () => {
  const admin = await createUser(api, { companyAdmin: true });
  const [first, second] = [await create(admin), await create(admin)];
  const [delivery] = await Promise.all(
    Array.from({ length: 19 }, async (_, nth) => {
      const answer = await send(admin, `${nth % 2 ? first : second}/test`);
      assert.equal(answer.statusCode, 200, answer.body);
      return answer.json<WebhookDelivery>();
    }),
  );
  const [allowed, refused] = await sendTogether(admin, [`${first}/test`, `${second}/test`]);
  assert.deepEqual(
    [allowed?.statusCode, refused?.statusCode, refused?.json().code, refused?.headers['retry-after']],
    [200, 429, 'too_many_webhook_tests', '600'],
  );
  const again = `${second}/deliveries/${delivery?._id}/redeliver`;
  for (let nth = 0; nth < 99; nth++) assert.equal((await send(admin, again)).statusCode, 200);
  const answers = await sendTogether(admin, [again, again]);
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [200, 429],
  );
  const other = await createUser(api, { companyAdmin: true });
  assert.equal((await send(other, `${await create(other)}/test`)).statusCode, 200);
});

test('all superadmins together have 20 tests in ten minutes', async () => {
  const root = await createUser(api, { superadmin: true });
  const id = await create(root);
  for (let nth = 0; nth < 20; nth++) assert.equal((await send(root, `${id}/test`)).statusCode, 200);
  const second = await createUser(api, { superadmin: true });
  assert.equal((await send(second, `${id}/test`)).statusCode, 429);
});

test('the error of a delivery does not tell a private name from a missing one', async () => {
  const agent = createReceiverConnections(false);
  try {
    const errorOf = async (host: string) =>
      (await sendMessage(agent, `https://${host}/`, { headers: {}, body: '{}' })).error;
    const errors = await Promise.all(['localhost', 'missing.invalid', '127.1'].map(errorOf));
    assert.deepEqual(new Set(errors), new Set(['the host has no public address']));
  } finally {
    await agent.close();
  }
});
