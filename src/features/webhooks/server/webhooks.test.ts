import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Webhook as Verifier } from 'standardwebhooks';
import { findVault } from '#server/vault/vault.ts';
import { createTestApi, type Send, type TestApi } from '#tests/support/api/api.ts';
import { readAuditLog } from '#tests/support/api/audit.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { raceForLock } from '#tests/support/database/race.ts';
import { waitFor } from '#tests/support/wait.ts';
import { type Receiver, startReceiver } from '#tests/support/webhooks/receiver.ts';
import type { Webhook, WebhookDelivery } from '../webhooks.contract.ts';
import { oldWebhookSecrets, webhookSecrets } from './webhook-secrets.queries.ts';

let api: TestApi;
let receiver: Receiver;
let admin: TestUser;
let owner: TestUser;
let stranger: TestUser;
before(async () => {
  receiver = await startReceiver();
  api = await createTestApi({ ALLOW_PRIVATE_WEBHOOKS: '1' });
  admin = await createUser(api, { superadmin: true });
  owner = await createUser(api, { companyAdmin: true });
  stranger = await createUser(api, { companyAdmin: true });
});
after(async () => {
  await api.close();
  await receiver.close();
});

type Created = Webhook & { secret: string };
const as = ({ token }: TestUser, call: string, send: Send = {}) => api.send(call, { token, ...send });
const order = () => ({ url: receiver.url, events: ['ticket.completed', 'ticket.cancelled'], active: true });
const create = async (user: TestUser, more: object = {}) => {
  const answer = await as(user, 'POST /api/webhooks', { body: { ...order(), ...more } });
  assert.equal(answer.statusCode, 201, answer.body);
  return answer.json<Created>();
};
const listed = async (user: TestUser, query = '') =>
  (await as(user, `GET /api/webhooks?limit=1000${query}`)).json<{ data: Webhook[] }>().data;
const deliveriesOf = async (user: TestUser, id: string) =>
  (await as(user, `GET /api/webhooks/${id}/deliveries`)).json<{ data: WebhookDelivery[] }>().data;
const waitUntilDelivered = (user: TestUser, id: string) =>
  waitFor('every delivery to arrive', async () => {
    const all = await deliveriesOf(user, id);
    return all.length > 0 && all.every(({ status }) => status === 'delivered') && all;
  });

test('the secret is shown once and stored sealed; administrators see the webhooks of their company', async () => {
  const own = await create(owner);
  const every = await create(admin);
  assert.match(own.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.deepEqual([own.company_code, every.company_code], [owner.companyCode, null]);
  const { secret, ...entry } = own;
  assert.deepEqual(await listed(owner), [entry]);
  assert.deepEqual(await listed(stranger), []);
  assert.deepEqual(
    (await listed(admin)).map(({ _id }) => _id),
    [every._id, own._id],
  );
  assert.deepEqual(await listed(admin, `&company_code=${owner.companyCode}`), [entry]);
  assert.deepEqual(await listed(stranger, `&company_code=${owner.companyCode}`), []);
  const { rows } = await api.context.db.query('SELECT secret FROM webhooks');
  assert.ok(rows.every((row) => row.secret.startsWith('sealed.')));
  assert.ok(!JSON.stringify(await readAuditLog(api, admin)).includes(secret.slice(6)));
  assert.equal(await webhookSecrets.reseal(api.context.db), 0);
  await api.context.db.query('UPDATE webhooks SET secret = $1', [secret]);
  await webhookSecrets.requireOpenable(api.context.db);
  assert.equal(await webhookSecrets.reseal(api.context.db), 2);
  const sealed = (await api.context.db.query('SELECT secret FROM webhooks LIMIT 1')).rows[0].secret;
  assert.equal(findVault().open('webhook', sealed), secret);
});

test('administrators are not told that a superadmin made a webhook of their company', async () => {
  const promoted = await createUser(api, { companyAdmin: true });
  const colleague = await createUser(api, { companyCode: promoted.companyCode, companyAdmin: true });
  await create(promoted);
  assert.notEqual((await listed(colleague))[0]?.created_by, null);
  await api.context.db.query("UPDATE users SET role = 'superadmin', company_code = NULL WHERE id = $1", [
    promoted.id,
  ]);
  assert.equal((await listed(colleague))[0]?.created_by, null);
  assert.notEqual((await create(admin)).created_by, null);
});

test('a form that was read before another change does not set it back', async () => {
  const { _id: id, version } = await create(owner);
  const off = { ...order(), active: false };
  const change = (body: object) => as(owner, `PUT /api/webhooks/${id}`, { body });
  assert.equal((await change({ ...off, version })).json().version, version + 1);
  const stale = await change({ ...order(), events: ['device.changed'], version });
  assert.deepEqual(
    [stale.statusCode, stale.json().code, stale.json().message],
    [
      409,
      'changed_meanwhile',
      'These settings were changed by someone else. Reload to see them. Nothing was saved.',
    ],
  );
  const [entry] = await listed(owner);
  assert.partialDeepStrictEqual(entry, { ...off, version: version + 1 });
  assert.equal((await change(order())).json().version, version + 2);
  await as(owner, `DELETE /api/webhooks/${id}`);
});

test('a webhook of another company is unknown, in every call', async () => {
  const { _id: id } = await create(owner);
  const { _id: own } = await create(stranger);
  const test = (await as(owner, `POST /api/webhooks/${id}/test`)).json<WebhookDelivery>();
  assert.ok(test._id);
  for (const [user, code, calls] of [
    [stranger, 'webhook_not_found', [`PUT ${id}`, `DELETE ${id}`, `POST ${id}/test`, `GET ${id}/deliveries`]],
    [stranger, 'webhook_not_found', [`POST ${id}/renew`, 'POST none/renew']],
    [stranger, 'webhook_not_found', [`GET ${id}/deliveries/${test._id}`, 'DELETE none', 'DELETE 0']],
    [stranger, 'webhook_not_found', [`POST ${id}/deliveries/${test._id}/redeliver`]],
    [stranger, 'delivery_not_found', [`POST ${own}/deliveries/${test._id}/redeliver`]],
    [stranger, 'delivery_not_found', [`GET ${own}/deliveries/${test._id}`, `GET ${own}/deliveries/none`]],
  ] as const) {
    for (const call of calls) {
      const send = call.startsWith('PUT') ? { body: order() } : {};
      const answer = await as(user, call.replace(' ', ' /api/webhooks/'), send);
      assert.deepEqual([answer.statusCode, answer.json().code], [404, code], call);
    }
  }
  assert.equal((await as(await createUser(api), 'GET /api/webhooks')).statusCode, 403);
});

test('a renewed secret is shown once and stored sealed, and the one before signs for a day', async () => {
  const { _id: id, secret, ...made } = await create(owner);
  assert.equal(made.old_secret_until, null);
  const renew = async () => (await as(owner, `POST /api/webhooks/${id}/renew`)).json<Created>();
  const renewed = await renew();
  assert.match(renewed.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.notEqual(renewed.secret, secret);
  const left = Date.parse(renewed.old_secret_until ?? '') - Date.now();
  assert.ok(left > 86_300_000 && left <= 86_400_000, String(left));
  const again = await renew();
  const opened = async () => {
    const { rows } = await api.context.db.query('SELECT secret, old_secret FROM webhooks WHERE id = $1', [
      id,
    ]);
    return [rows[0].secret, rows[0].old_secret].map((sealed) => findVault().open('webhook', sealed));
  };
  assert.deepEqual(await opened(), [again.secret, renewed.secret]);
  await api.context.db.query('UPDATE webhooks SET old_secret = $1 WHERE id = $2', [renewed.secret, id]);
  assert.equal(await oldWebhookSecrets.reseal(api.context.db), 1);
  assert.deepEqual(await opened(), [again.secret, renewed.secret]);
  assert.ok(!JSON.stringify(await listed(owner)).includes('whsec_'));
  assert.ok(!JSON.stringify(await readAuditLog(api, admin)).includes('whsec_'));
});

test('the audit log names a webhook by its host, also once it is deleted', async () => {
  const { _id: id } = await create(owner);
  await as(owner, `POST /api/webhooks/${id}/test`);
  const namesInLog = async () => {
    const { data } = await readAuditLog(api, admin, `?object_type=webhook&object_id=${id}`);
    return data.map(({ action, object_name }) => `${action} ${object_name}`);
  };
  const { host } = new URL(receiver.url);
  assert.deepEqual(await namesInLog(), [`webhook.test ${host}`, `webhook.create ${host}`]);
  await as(owner, `DELETE /api/webhooks/${id}`);
  assert.deepEqual(await namesInLog(), [
    `webhook.delete ${host}`,
    `webhook.test ${id}`,
    `webhook.create ${host}`,
  ]);
});

test('wrong orders are refused, and only superadmins get events of sources', async () => {
  for (const [path, more] of [
    ['url', { url: 'not an address' }],
    ['url', { url: 'https://169.254.169.254/' }],
    ['events', { events: [] }],
    ['events', { events: ['ticket.paid'] }],
    ['events', { events: ['ticket.completed', 'ticket.completed'] }],
    ['events', { events: ['ticket.completed', 'source.down'] }],
    ['active', { active: 'yes' }],
  ] as const) {
    const refused = await as(owner, 'POST /api/webhooks', { body: { ...order(), ...more } });
    assert.equal(refused.statusCode, 400, refused.body);
    assert.ok(refused.json().details[0].path.startsWith(path), refused.body);
  }
  const events = ['source.down', 'source.up'];
  assert.deepEqual((await create(admin, { events })).events, events);
  const { _id } = await create(owner);
  const changed = await as(admin, `PUT /api/webhooks/${_id}`, { body: { ...order(), events } });
  assert.equal(changed.statusCode, 400);
});

test('a company has at most 20 webhooks, also when many are created at once', async () => {
  const user = await createUser(api, { companyAdmin: true });
  const orders = Array.from({ length: 22 }, () => as(user, 'POST /api/webhooks', { body: order() }));
  const statuses = (await Promise.all(orders)).map(({ statusCode }) => statusCode);
  assert.equal(statuses.filter((status) => status === 409).length, 2);
  assert.equal((await listed(user)).length, 20);
});

test('the end of a ticket arrives signed, is listed with message and answer, and is sent again', async () => {
  const user = await createUser(api, { companyAdmin: true });
  const { _id: id, secret } = await create(user);
  receiver.answer((response) => response.writeHead(200).end('thank you'));
  receiver.received.length = 0;
  const { number } = await createTicketWithRows(api, {
    companyCode: user.companyCode,
    createdBy: user.id,
    rows: [{}],
  });
  await as(user, `DELETE /api/data/${number}`);
  const [delivered] = await waitUntilDelivered(user, id);
  assert.partialDeepStrictEqual(delivered, {
    event: 'ticket.cancelled',
    attempts: 1,
    response_status: 200,
    next_at: null,
  });
  const details = (await as(user, `GET /api/webhooks/${id}/deliveries/${delivered?._id}`)).json();
  assert.deepEqual([details.webhook_id, details.response_body], [`msg_${delivered?._id}`, 'thank you']);
  const again = await as(user, `POST /api/webhooks/${id}/deliveries/${delivered?._id}/redeliver`);
  assert.equal(again.json().status, 'waiting');
  assert.equal((await waitUntilDelivered(user, id))[0]?.attempts, 2);
  const messages = receiver.received.filter(({ headers }) => headers['webhook-id'] === details.webhook_id);
  assert.deepEqual(
    messages.map(({ body }) => body),
    [details.request_body, details.request_body],
  );
  for (const { headers, body } of messages)
    new Verifier(secret).verify(body, headers as Record<string, string>);
  assert.equal(messages[0]?.json.data.ticket_number, number);
});

test('a webhook that is being deleted gets no test, and does not prevent the end of a ticket', async () => {
  const user = await createUser(api, { companyAdmin: true });
  const { companyCode, id: createdBy } = user;
  const { number } = await createTicketWithRows(api, { companyCode, createdBy, rows: [{}] });
  const { _id: id } = await create(user);
  const calls = [`POST /api/webhooks/${id}/test`, `DELETE /api/data/${number}`];
  const answers = await raceForLock(
    api.context.db,
    ['DELETE FROM webhooks WHERE id = $1', [id]],
    calls.map((call) => () => as(user, call)),
  );
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [404, 200],
  );
});

test('tests and repeats are sent also while switched off, and switching off gives up what waits', async () => {
  const user = await createUser(api, { companyAdmin: true });
  const { _id: id, secret } = await create(user, { active: false });
  receiver.answer((response) => response.writeHead(204).end());
  const test = await as(user, `POST /api/webhooks/${id}/test`);
  assert.deepEqual([test.statusCode, test.json().event], [200, 'webhook.test']);
  await waitUntilDelivered(user, id);
  const arrived = receiver.received.find(({ json }) => json.data.webhook_id === id);
  const verified = new Verifier(secret).verify(
    arrived?.body ?? '',
    arrived?.headers as Record<string, string>,
  );
  assert.partialDeepStrictEqual(verified, { type: 'webhook.test' });
  await as(user, `POST /api/webhooks/${id}/deliveries/${test.json()._id}/redeliver`);
  assert.equal((await waitUntilDelivered(user, id))[0]?.attempts, 2);
  receiver.answer((response) => response.writeHead(500).end());
  await as(user, `POST /api/webhooks/${id}/test`);
  await waitFor('the failure', async () => (await deliveriesOf(user, id))[0]?.response_status === 500);
  assert.equal((await deliveriesOf(user, id))[0]?.status, 'waiting');
  assert.ok((await listed(user))[0]?.failing_since);
  const off = await as(user, `PUT /api/webhooks/${id}`, { body: { ...order(), active: false } });
  assert.partialDeepStrictEqual(off.json(), { active: false, failing_since: null });
  assert.equal((await deliveriesOf(user, id))[0]?.status, 'failed');
  assert.equal((await as(user, `DELETE /api/webhooks/${id}`)).statusCode, 200);
  assert.deepEqual(await listed(user), []);
});
