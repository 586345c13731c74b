import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { SignJWT } from 'jose';
import { createTestApi, type TestApi } from '#tests/support/api.ts';
import { openEvents } from '#tests/support/events.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/factories.ts';
import { waitFor } from '#tests/support/wait.ts';

let api: TestApi;
let url: string;
let user: TestUser;
let admin: TestUser;
const heard: string[] = [];

before(async () => {
  api = await createTestApi();
  api.app.notices.hear('changed_tickets', (notice) => heard.push(notice));
  url = await api.app.listen({ host: '127.0.0.1', port: 0 });
  user = await createUser(api);
  admin = await createUser(api, { superadmin: true });
});
after(() => api.close());

const createTicket = (owner: TestUser) =>
  createTicketWithRows(api, {
    companyCode: owner.companyCode,
    createdBy: owner.id,
    rows: [{}, {}, {}],
    status: 'Processing',
  });

/** Waits until the API has heard of all that was done before: nobody who begins to follow now is told of it. */
const settle = async () => {
  const last = 'nobody 0 {}';
  await api.context.db.query(`SELECT pg_notify('changed_tickets', $1)`, [last]);
  await waitFor('the notices of what was done', async () => heard.includes(last));
};

const finish = (id: number, done: number) =>
  api.context.db.query('UPDATE tickets SET done = $2 WHERE id = $1', [id, done]);

test('events: each caller hears of the tickets in scope, what changes fast by its first and its latest state', async () => {
  const stranger = await createUser(api);
  const own = await createTicket(user);
  const other = await createTicket(stranger);
  await settle();
  const streams = await Promise.all([user, stranger, admin].map(({ token }) => openEvents(url, token)));
  const [mine, theirs, all] = streams as [(typeof streams)[0], (typeof streams)[0], (typeof streams)[0]];
  assert.equal(mine.status, 200);
  assert.equal(mine.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  assert.match(String(mine.headers.get('cache-control')), /no-store/);
  // In one transaction, so that all three are told at once.
  const finishes = [1, 2, 3].map((done) => `UPDATE tickets SET done = ${done} WHERE id = ${own.id}`);
  await api.context.db.query(finishes.join(';'));
  await waitFor('the latest state', async () => mine.tickets.some((ticket) => ticket.done === 3));
  const [first, last, ...more] = mine.tickets;
  assert.deepEqual(more, []);
  const told = { ticket_number: own.number, status: 'Processing', done: 1, failed: 0, total: 3 };
  assert.deepEqual([first, last], [told, { ...told, done: 3 }]);
  await finish(other.id, 1);
  await waitFor('their own ticket', async () => theirs.tickets.length > 0);
  assert.deepEqual(
    theirs.tickets.map((ticket) => ticket.ticket_number),
    [other.number],
  );
  await waitFor('every ticket for a superadmin', async () => all.tickets.length === 3);
  assert.deepEqual(
    new Set(all.tickets.map((ticket) => ticket.ticket_number)),
    new Set([own.number, other.number]),
  );
  // An order has no rows yet: its total is the expected count.
  const order = { data_count: 7, company_code: user.companyCode };
  await api.send('POST /api/tickets', { token: admin.token, body: order });
  await waitFor('the order', async () => mine.tickets.some((ticket) => ticket.total === 7));
  for (const stream of streams) stream.close();
});

test('events: a stream ends with its session, by a new password, with the token, and when the client is made Inactive', async () => {
  const changing = await createUser(api);
  const change = { currentPassword: changing.password, newPassword: 'quite another one' };
  const byPassword = await openEvents(url, changing.token);
  const beside = await openEvents(url, user.token);
  const changed = await api.send('POST /api/auth/change-password', { token: changing.token, body: change });
  assert.equal(changed.statusCode, 200);
  await byPassword.ended;
  assert.equal((await openEvents(url, changing.token)).status, 401);

  const key = new TextEncoder().encode(api.context.jwtSecret);
  const now = Math.floor(Date.now() / 1000);
  const short = await new SignJWT({ sub: String(user.id), iat: now, exp: now + 2 })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(key);
  const byTime = await openEvents(url, short);
  await byTime.ended;
  assert.ok(Date.now() >= (now + 2) * 1000 - 20, 'not before its time');

  const leaving = await createUser(api);
  const byStatus = await openEvents(url, leaving.token);
  await api.context.db.query('UPDATE clients SET active = false WHERE company_code = $1', [
    leaving.companyCode,
  ]);
  await byStatus.ended;

  const ticket = await createTicket(user);
  await finish(ticket.id, 1);
  await waitFor('the stream of another user', async () => beside.tickets.length > 0);
  beside.close();
});

test('events: when notices were lost every stream ends, and a new one hears again', async () => {
  const stream = await openEvents(url, user.token);
  await api.context.db.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'coverdesk notices' AND datname = current_database()`,
  );
  await stream.ended;
  const again = await waitFor('a new stream', async () => {
    const opened = await openEvents(url, user.token);
    return opened.status === 200 && opened;
  });
  const ticket = await createTicket(user);
  await waitFor('its ticket', async () => again.tickets.some((told) => told.ticket_number === ticket.number));
  again.close();
});

test('events: a reader who does not read is cut off', async () => {
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`GET /api/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${user.token}\r\n\r\n`);
  const [head] = (await once(socket, 'data')) as [Buffer];
  assert.match(head.toString(), /^HTTP\/1\.1 200 /);
  socket.pause();
  const open = () => api.app.server.getConnections.bind(api.app.server);
  const count = () =>
    new Promise<number>((resolve, reject) =>
      open()((error, connections) => (error ? reject(error) : resolve(connections))),
    );
  const before = await count();
  // More than all buffers between the two hold.
  await api.context.db.query(
    `SELECT pg_notify('changed_tickets', concat_ws(' ', $1::text, n, repeat('x', 7000))) FROM generate_series(1, 4000) n`,
    [user.companyCode],
  );
  await waitFor('the end of the connection', async () => (await count()) < before);
  socket.destroy();
});

test('events: the API closes while streams are open', async () => {
  const second = await createTestApi();
  const listening = await second.app.listen({ host: '127.0.0.1', port: 0 });
  const stream = await openEvents(listening, (await createUser(second)).token);
  await second.close();
  await stream.ended;
});
