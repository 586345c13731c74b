import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { createUser } from '#features/accounts/server/accounts.service.ts';
import { createCompany } from '#features/clients/server/clients.service.ts';
import type { Mail } from '#server/mail/mail.ts';
import { createLog } from '#server/runtime/log.ts';
import { findVault } from '#server/vault/vault.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { waitFor } from '#tests/support/wait.ts';
import { type Receiver, startReceiver } from '#tests/support/webhooks/receiver.ts';
import { listDeliveriesOf, storeWebhook, webhookSecret } from '#tests/support/webhooks/stored-webhooks.ts';
import { publishTicketEnd } from '../events/publish-event.service.ts';
import { sendWebhookMails } from '../mail/send-mails.ts';
import { deleteOldSecrets, renewSecret, updateWebhookRow } from '../webhooks.queries.ts';
import { pauseSeconds } from './attempts.queries.ts';
import { Deliveries } from './deliver.ts';
import { giveUpWaiting, insertTestDelivery, listDeliveryPage } from './deliveries.queries.ts';
import { cleanUpDeliveries } from './deliveries.service.ts';
import { createReceiverConnections } from './send-message.ts';

let database: TestDatabase;
let receiver: Receiver;
const publicUrl = 'http://coverdesk.test';
const agent = createReceiverConnections(true);
const hourMs = 3_600_000;

before(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.db.query('DELETE FROM webhooks');
  receiver = await startReceiver();
});
afterEach(() => receiver.close());
after(async () => {
  await agent.close();
  await database.close();
});

const query = async (sql: string, ...values: unknown[]) => (await database.db.query(sql, values)).rows;
const makeDeliveries = (db = database.db) =>
  new Deliveries({ db, log: createLog('test', 'silent'), publicUrl }, agent);
const events = ['ticket.completed', 'ticket.cancelled'];

/** Attempts everything that is due, also what becomes due by the end of another attempt. */
async function deliver(deliveries = makeDeliveries()): Promise<void> {
  let attempts = -1;
  for (;;) {
    const [{ sum = 0 } = {}] = await query('SELECT sum(attempts) FROM webhook_deliveries');
    if (sum === attempts) return;
    attempts = sum;
    await deliveries.startDue(() => undefined);
    await deliveries.waitForAll();
  }
}
/** Moves all stored instants into the past, as if so much time had passed. */
async function pass(ms: number): Promise<void> {
  const back = `- make_interval(secs => ${ms / 1000})`;
  await query(`UPDATE webhook_deliveries SET next_at = next_at ${back}`);
  await query(`UPDATE webhooks SET failing_since = failing_since ${back}, busy_until = busy_until ${back},
    switched_off_at = switched_off_at ${back}, mail_at = mail_at ${back}`);
}
const endTicket = (
  ticket_number: number,
  type: 'ticket.completed' | 'ticket.cancelled',
  company_code = 'ACM001',
) =>
  publishTicketEnd(database.db, type, {
    ticket_number,
    company_code,
    total: 2,
    done: 2,
    failed: 0,
    activated: 1,
    unactivated: 1,
  });
const numberOf = ({ json }: Receiver['received'][number]) => Number(json.data.ticket_number);

test('a message is signed, has the same body at each attempt, and its answer is kept within 4 KB', async () => {
  const id = await storeWebhook(database.db, { events, url: receiver.url });
  receiver.answer((response) => response.writeHead(500).end('x'.repeat(10_000)));
  await endTicket(7, 'ticket.completed');
  await deliver();
  const failed = await query(
    'SELECT status, response_status, length(response_body), error FROM webhook_deliveries',
  );
  assert.deepEqual(failed, [{ status: 'waiting', response_status: 500, length: 4096, error: 'HTTP 500' }]);
  receiver.answer((response) => response.writeHead(200).end('ok'));
  await pass(5000);
  await deliver();
  const [first, second, ...others] = receiver.received;
  assert.equal(others.length, 0);
  assert.equal(first?.body, second?.body);
  assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id']);
  for (const { headers, body } of receiver.received) {
    const verified = new Webhook(webhookSecret).verify(body, headers as Record<string, string>);
    assert.partialDeepStrictEqual(verified, {
      type: 'ticket.completed',
      data: { ticket_number: '7', company_code: 'ACM001', done: 2, url: `${publicUrl}/dashboard/tickets/7` },
    });
  }
  assert.throws(() => new Webhook(webhookSecret).verify(`${first?.body} `, first?.headers as never));
  const [delivered] = await listDeliveriesOf(database.db, id);
  assert.deepEqual([delivered?.status, delivered?.attempts], ['delivered', 2]);
});

test('a redirect is not followed, and without permission no private address is reached', async () => {
  await storeWebhook(database.db, { events, url: receiver.url });
  receiver.answer((response) => response.writeHead(307, { location: receiver.url }).end());
  await endTicket(7, 'ticket.completed');
  await deliver();
  assert.equal(receiver.received.length, 1);
  const careful = createReceiverConnections(false);
  const tools = { db: database.db, log: createLog('test', 'silent'), publicUrl };
  const errors: string[] = [];
  for (const url of [
    receiver.url,
    receiver.url.replace('http:', 'https:'),
    'https://localhost:1/',
    'https://169.254.169.254/',
  ]) {
    await query('UPDATE webhooks SET url = $1', url);
    await pass(hourMs);
    await deliver(new Deliveries(tools, careful));
    errors.push((await query('SELECT error FROM webhook_deliveries'))[0]?.error);
  }
  await careful.close();
  const refused = 'the host has no public address';
  assert.deepEqual(errors, ['http is not allowed', refused, refused, refused]);
  assert.equal(receiver.received.length, 1);
});

test('a receiver that was down for an hour gets each event at least once, in order per ticket', async () => {
  const id = await storeWebhook(database.db, { events, url: receiver.url });
  receiver.answer((response) => response.destroy());
  const tickets = [1, 2, 3];
  for (let minute = 0; minute < 60; minute += 5) {
    if (minute % 20 === 0) for (const ticket of tickets) await endTicket(ticket, 'ticket.cancelled');
    if (minute % 20 === 10) for (const ticket of tickets) await endTicket(ticket, 'ticket.completed');
    await deliver();
    await pass(300_000);
  }
  const ids = (await query('SELECT id FROM webhook_deliveries ORDER BY id')).map((row) => `msg_${row.id}`);
  assert.equal(ids.length, 18);
  const wasDown = receiver.received.length;
  assert.ok(wasDown > 0);
  receiver.answer((response) => response.writeHead(204).end());
  for (let minute = 0; minute < 120; minute += 5) {
    await deliver();
    await pass(300_000);
  }
  const arrived = receiver.received.slice(wasDown);
  assert.deepEqual(arrived.map(({ headers }) => headers['webhook-id']).toSorted(), ids.toSorted());
  for (const ticket of tickets) {
    const own = arrived.filter((message) => numberOf(message) === ticket).map(({ json }) => json.type);
    assert.deepEqual(
      own,
      [1, 2, 3].flatMap(() => ['ticket.cancelled', 'ticket.completed']),
    );
  }
  assert.ok((await listDeliveriesOf(database.db, id)).every(({ status }) => status === 'delivered'));
  assert.deepEqual(await query('SELECT active, failing_since FROM webhooks'), [
    { active: true, failing_since: null },
  ]);
});

test('an event that its receiver refuses does not hold up those of other tickets', async () => {
  await storeWebhook(database.db, { events, url: receiver.url });
  receiver.answer((response, message) => response.writeHead(numberOf(message) === 1 ? 400 : 204).end());
  await endTicket(1, 'ticket.cancelled');
  await endTicket(1, 'ticket.completed');
  await endTicket(2, 'ticket.completed');
  await deliver();
  assert.deepEqual(receiver.received.map(numberOf), [1, 2]);
  await pass(60_000);
  await deliver();
  assert.deepEqual(receiver.received.map(numberOf), [1, 2, 1], 'the later event of a ticket waits');
});

test('a receiver that asks for a pause gets nothing for that long, at most an hour', async () => {
  await storeWebhook(database.db, { events, url: receiver.url });
  const inTwoMinutes = () => new Date(Date.now() + 120_000).toUTCString();
  for (const [status, retryAfter, waits] of [
    [429, () => '120', 120],
    [503, inTwoMinutes, 121],
    [503, () => '86400', 3600],
    [429, () => 'soon', 5],
    [500, () => '120', 5],
  ] as const) {
    await query('DELETE FROM webhook_deliveries');
    receiver.received.length = 0;
    receiver.answer((response) => response.writeHead(status, { 'retry-after': retryAfter() }).end());
    await endTicket(1, 'ticket.completed');
    await deliver();
    receiver.answer((response) => response.writeHead(204).end());
    await endTicket(2, 'ticket.completed');
    await pass((waits - 4) * 1000);
    await deliver();
    const isPaused = waits > 5;
    const called = `${status} ${retryAfter()}`;
    assert.deepEqual(receiver.received.map(numberOf), isPaused ? [1] : [1, 2], called);
    await pass(5000);
    await deliver();
    assert.deepEqual(receiver.received.map(numberOf), isPaused ? [1, 1, 2] : [1, 2, 1], called);
  }
});

test('a test message does not wait for the next attempt of an earlier one', async () => {
  const webhookId = await storeWebhook(database.db, { events, url: receiver.url });
  receiver.answer((response) => response.writeHead(500).end());
  await insertTestDelivery.one(database.db, { webhookId });
  await deliver();
  receiver.answer((response) => response.writeHead(204).end());
  await insertTestDelivery.one(database.db, { webhookId });
  await deliver();
  const statuses = (await listDeliveriesOf(database.db, webhookId)).map(({ status }) => status);
  assert.deepEqual(statuses, ['waiting', 'delivered']);
});

test('a new address does not wait for the pause that the receiver at the old one asked for', async () => {
  const id = await storeWebhook(database.db, { events, url: receiver.url });
  receiver.answer((response) => response.writeHead(503, { 'retry-after': '3600' }).end());
  await endTicket(1, 'ticket.completed');
  await deliver();
  receiver.answer((response) => response.writeHead(204).end());
  // Waits for the earlier event of its ticket.
  await endTicket(1, 'ticket.cancelled');
  await endTicket(2, 'ticket.completed');
  const listNextAttempts = async () =>
    (await listDeliveryPage.all(database.db, { webhookId: id, limit: 3, offset: 0 })).map(({ next_at }) =>
      Math.round((next_at.getTime() - Date.now()) / hourMs),
    );
  assert.deepEqual(await listNextAttempts(), [1, 1, 1]);
  const change = async (url: string) => {
    await updateWebhookRow.one(database.db, { id, url, events, active: true, leaseSeconds: 30 });
    // An attempt at the old address may still run, and a webhook gets one message at a time.
    await deliver();
    assert.equal(receiver.received.length, 1);
    await pass(30_000);
    await deliver();
    return receiver.received.map(numberOf).toSorted();
  };
  assert.deepEqual(await change(receiver.url), [1]);
  assert.deepEqual(await change(`${receiver.url}/new`), [1, 1, 1, 2]);
});

test('an attempt that ends after the address was changed neither delays the new one nor counts as its failure', async () => {
  const id = await storeWebhook(database.db, { events, url: receiver.url });
  receiver.answer(async (response) => {
    receiver.answer((next) => next.writeHead(204).end());
    const url = `${receiver.url}/new`;
    await updateWebhookRow.one(database.db, { id, url, events, active: true, leaseSeconds: 30 });
    response.writeHead(503, { 'retry-after': '3600' }).end();
  });
  await endTicket(1, 'ticket.completed');
  await endTicket(2, 'ticket.completed');
  await deliver();
  assert.deepEqual(await query('SELECT slow, failing_since FROM webhooks'), [
    { slow: false, failing_since: null },
  ]);
  assert.deepEqual(await query('SELECT status, response_status FROM webhook_deliveries ORDER BY id'), [
    { status: 'waiting', response_status: 503 },
    { status: 'delivered', response_status: 204 },
  ]);
  await pass(5000);
  await deliver();
  assert.deepEqual(receiver.received.map(numberOf), [1, 2, 1]);
});

test('an attempt at the old address that ends after its lease frees no webhook that is busy again', async () => {
  const id = await storeWebhook(database.db, { events, url: receiver.url });
  const old = Promise.withResolvers<void>();
  const next = Promise.withResolvers<void>();
  receiver.answer(async (response, message) => {
    await (numberOf(message) === 1 ? old : next).promise;
    response.writeHead(204).end();
  });
  await endTicket(1, 'ticket.completed');
  const late = makeDeliveries();
  await late.startDue(() => undefined);
  const url = `${receiver.url}/new`;
  await updateWebhookRow.one(database.db, { id, url, events, active: true, leaseSeconds: 30 });
  await query("UPDATE webhook_deliveries SET status = 'failed'");
  await pass(31_000);
  for (const ticket of [2, 3]) await endTicket(ticket, 'ticket.completed');
  const present = makeDeliveries();
  await present.startDue(() => undefined);
  old.resolve();
  await late.waitForAll();
  await makeDeliveries().startDue(() => undefined);
  assert.equal((await query('SELECT sum(attempts) FROM webhook_deliveries'))[0]?.sum, 2);
  next.resolve();
  await present.waitForAll();
});

test('a message that arrives while it is given up counts as delivered', async () => {
  const id = await storeWebhook(database.db, { events, url: receiver.url });
  let status = 204;
  receiver.answer(async (response) => {
    await giveUpWaiting.run(database.db, { webhookId: id });
    response.writeHead(status).end();
  });
  await endTicket(1, 'ticket.completed');
  await deliver();
  status = 500;
  await endTicket(2, 'ticket.completed');
  await deliver();
  assert.deepEqual(await query('SELECT status, response_status FROM webhook_deliveries ORDER BY id'), [
    { status: 'delivered', response_status: 204 },
    { status: 'failed', response_status: 500 },
  ]);
});

test('a renewed secret signs beside its successor for 24 hours', async () => {
  const id = await storeWebhook(database.db, { events, url: receiver.url });
  const renewed = `whsec_${Buffer.from('another one of the tests, 32 B..').toString('base64')}`;
  await renewSecret.one(database.db, { id, sealed: findVault().seal('webhook', renewed), hours: 24 });
  const signers = async () => {
    await endTicket(7, 'ticket.completed');
    await deliver();
    const { headers, body } = receiver.received.at(-1) ?? assert.fail();
    const verify = (secret: string) => new Webhook(secret).verify(body, headers as Record<string, string>);
    return [webhookSecret, renewed].filter((secret) => {
      try {
        return verify(secret);
      } catch {
        return false;
      }
    });
  };
  assert.deepEqual(await signers(), [webhookSecret, renewed]);
  await query("UPDATE webhooks SET old_secret_until = old_secret_until - interval '24 hours'");
  assert.deepEqual(await signers(), [renewed]);
  await deleteOldSecrets.run(database.db);
  assert.deepEqual(await query('SELECT old_secret FROM webhooks'), [{ old_secret: null }]);
});

test('receivers that do not answer delay no other company', async () => {
  const silent = await startReceiver();
  silent.answer(() => undefined);
  const companies = ['SIL001', 'SIL002', 'SIL003', 'SIL004', 'SIL005', 'SIL006', 'QCK001'];
  for (const code of companies) {
    await query('INSERT INTO clients (company_name, company_code) VALUES ($1, $1)', code);
    const url = code === 'QCK001' ? receiver.url : silent.url;
    for (let nth = 0; nth < 6; nth++) await storeWebhook(database.db, { events, url, companyCode: code });
    await endTicket(1, 'ticket.completed', code);
  }
  // They have failed before.
  await query('UPDATE webhooks SET slow = true WHERE url = $1', silent.url);
  const deliveries = makeDeliveries();
  await waitFor('all messages to the quick company', async () => {
    await deliveries.startDue(() => undefined);
    return receiver.received.length === 6 && silent.received.length >= 16;
  });
  const { received } = silent;
  await silent.close();
  await deliveries.waitForAll();
  assert.equal(received.length, 16, 'half of the attempts at the same time');
  const own = Map.groupBy(received, ({ json }) => json.data.company_code);
  // Webhooks that were never served have their turns in any order.
  assert.equal(
    Math.max(...[...own.values()].map(({ length }) => length)),
    4,
    'attempts of one company at the same time',
  );
});

test('after a day of failures a webhook is switched off, and its owner gets one mail', async () => {
  const code = (await createCompany(database.db, null, { company_name: 'Acme' })).company_code;
  const account = { password: 'a hush-hush secret', superadmin: false, newUser: false, companyCode: code };
  const { id } = await createUser(database.db, { ...account, name: 'Ayu', email: 'ayu@example.test' });
  await query("UPDATE users SET role = 'company-admin' WHERE id = $1", id);
  receiver.answer((response) => response.writeHead(503).end());
  const webhook = await storeWebhook(database.db, {
    events,
    url: receiver.url,
    companyCode: code,
    createdBy: id,
  });
  await endTicket(1, 'ticket.completed', code);
  const isActive = async () => (await query('SELECT active FROM webhooks'))[0]?.active;
  const mails: Mail[] = [];
  const mail = () =>
    sendWebhookMails(
      { db: database.db, log: createLog('test', 'silent'), publicUrl },
      async (one) => void mails.push(one),
    );
  for (const seconds of pauseSeconds) {
    await deliver();
    assert.equal(await isActive(), true);
    await pass(seconds * 1000);
  }
  await endTicket(2, 'ticket.completed', code);
  await deliver();
  await mail();
  await mail();
  assert.equal(await isActive(), false);
  const [{ version } = {}] = await query('SELECT version FROM webhooks');
  assert.equal(version, 2, 'a form that was read before would switch it on again');
  const attempts = (await listDeliveriesOf(database.db, webhook)).map((row) => [row.status, row.attempts]);
  assert.deepEqual(
    attempts.map(([status]) => status),
    ['failed', 'failed'],
  );
  assert.deepEqual(
    mails.map(({ to }) => to.address),
    ['ayu@example.test'],
  );
  assert.match(mails[0]?.subject ?? '', /webhook to 127\.0\.0\.1:\d+ was switched off/);
  const audit = await query(
    "SELECT actor_id, company_code FROM audit_log WHERE action = 'webhook.switch-off'",
  );
  assert.deepEqual(audit, [{ actor_id: null, company_code: code }]);
  await endTicket(3, 'ticket.completed', code);
  assert.equal((await listDeliveriesOf(database.db, webhook)).length, 2);
});

test('after the database’s clock was set back, nothing waits for a time of before', async () => {
  const id = await storeWebhook(database.db, { events, url: receiver.url });
  await endTicket(7, 'ticket.completed');
  await query("UPDATE webhook_deliveries SET next_at = now() + interval '2 days'");
  await query("UPDATE webhooks SET busy_until = now() + interval '2 days'");
  await deliver();
  const [delivered] = await listDeliveriesOf(database.db, id);
  assert.equal(delivered?.status, 'delivered');
});

test('a day on which the product was off is no day of failures', async () => {
  receiver.answer((response) => response.writeHead(503).end());
  const webhook = await storeWebhook(database.db, { events, url: receiver.url });
  await endTicket(1, 'ticket.completed');
  await deliver();
  await pass(26 * hourMs);
  await endTicket(2, 'ticket.completed');
  await deliver();
  const isActive = async () => (await query('SELECT active FROM webhooks'))[0]?.active;
  assert.equal(await isActive(), true);
  // The hours before and after count.
  await query("UPDATE webhooks SET failing_since = failing_since - interval '24 hours'");
  await pass(60_000);
  await deliver();
  assert.equal(await isActive(), false);
  const statuses = (await listDeliveriesOf(database.db, webhook)).map(({ status }) => status);
  assert.deepEqual(statuses, ['failed', 'failed']);
});

test('the time since the first message was due is no time of failures, whichever message is attempted first', async () => {
  receiver.answer((response) => response.writeHead(503).end());
  await storeWebhook(database.db, { events, url: receiver.url });
  await endTicket(1, 'ticket.completed');
  await endTicket(2, 'ticket.completed');
  await deliver();
  await pass(26 * hourMs);
  await query(
    "UPDATE webhook_deliveries SET next_at = now() - interval '1 minute' WHERE id = (SELECT min(id) FROM webhook_deliveries)",
  );
  await deliver();
  assert.deepEqual(await query('SELECT active FROM webhooks'), [{ active: true }]);
});

test('a process that is killed during a delivery loses no event and keeps the order', async () => {
  await storeWebhook(database.db, { events, url: receiver.url });
  for (const type of ['ticket.cancelled', 'ticket.completed'] as const) await endTicket(1, type);
  receiver.answer((response) => {
    // The second message arrives, and its answer does not.
    if (receiver.received.length < 2) response.writeHead(204).end();
  });
  const script = fileURLToPath(
    new URL('../../../../../tests/support/webhooks/deliver-process.ts', import.meta.url),
  );
  const child = spawn(process.execPath, [script, database.url], { stdio: 'ignore' });
  await waitFor('the second message', async () => receiver.received.length === 2, 30_000);
  child.kill('SIGKILL');
  await once(child, 'exit');
  receiver.answer((response) => response.writeHead(204).end());
  await deliver();
  assert.equal(receiver.received.length, 2, 'its lease has not ended');
  await pass(30_000);
  await deliver();
  const types = receiver.received.map(({ json }) => json.type);
  assert.deepEqual(types, ['ticket.cancelled', 'ticket.completed', 'ticket.completed']);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  assert.equal(ids[1], ids[2]);
});

test('ended deliveries are kept for 30 days, at most 1,000 of a webhook', async () => {
  const id = await storeWebhook(database.db, { events });
  const add = (count: number, status: string, days: number) =>
    query(
      `INSERT INTO webhook_deliveries (webhook_id, event, subject, path, data, status, at)
       SELECT $1, 'ticket.completed', 'ticket:1', '/', '{}', $3, now() - make_interval(days => $4)
       FROM generate_series(1, $2)`,
      ...[id, count, status, days],
    );
  await add(5, 'waiting', 40);
  await add(3, 'failed', 31);
  await add(1100, 'delivered', 29);
  await cleanUpDeliveries(database.db);
  const kept = await query('SELECT status, count(*) FROM webhook_deliveries GROUP BY 1 ORDER BY 1');
  assert.deepEqual(kept, [
    { status: 'delivered', count: 1000 },
    { status: 'waiting', count: 5 },
  ]);
});

test('a receiver whom the mail server refuses neither repeats nor stops the mails to others', async () => {
  const code = (await createCompany(database.db, null, { company_name: 'Acme' })).company_code;
  const account = { password: 'a hush-hush secret', superadmin: false, newUser: false, companyCode: code };
  for (const name of ['Budi', 'Citra', 'Dewi'])
    await createUser(database.db, { ...account, name, email: `${name.toLowerCase()}@example.test` });
  await query("UPDATE users SET role = 'company-admin' WHERE company_code = $1", code);
  await storeWebhook(database.db, { events, url: receiver.url, companyCode: code });
  const waits = 'UPDATE webhooks SET active = false, switched_off_at = now(), mail_at = now()';
  await query(waits);
  const mails: string[] = [];
  const mail = (refused: string) =>
    sendWebhookMails({ db: database.db, log: createLog('test', 'silent'), publicUrl }, async ({ to }) => {
      if (to.address.includes(refused)) throw new Error('550 no such user');
      mails.push(to.address);
    });
  await mail('@');
  assert.deepEqual(mails, []);
  const lapse = "UPDATE webhooks SET mail_at = now() - interval '1 second' WHERE mail_at IS NOT NULL";
  await query(lapse);
  await mail('citra');
  await query(lapse);
  await mail('citra');
  assert.deepEqual(mails, ['budi@example.test', 'dewi@example.test']);
});
