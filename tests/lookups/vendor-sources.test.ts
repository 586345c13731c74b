import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { importTicket, readTicket, waitUntilCompleted } from '#tests/support/lookups/tickets.ts';
import { prepareWorkers, type WorkerProcesses } from '#tests/support/lookups/worker-processes.ts';
import type { AppleStandIn } from '#tests/support/sources/apple-stand-in.ts';
import type { GsxStandIn } from '#tests/support/sources/gsx-stand-in.ts';
import { startVendors, type Vendors } from '#tests/support/sources/vendors.ts';
import { waitFor } from '#tests/support/wait.ts';

// Worker processes ask a registry, Apple Business Manager and GSX, in this order.

let vendors: Vendors;
let database: TestDatabase;
let apple: AppleStandIn;
let gsx: GsxStandIn;
let workers: WorkerProcesses;

const env = () => ({ ...vendors.env, CACHE_HOURS: '24' });

before(async () => {
  [database, vendors] = await Promise.all([createTestDatabase(), startVendors()]);
  ({ apple, gsx } = vendors);
  workers = await prepareWorkers(database.url, [
    { name: 'own', kind: 'registry' },
    vendors.appleEntry({ concurrency: 4 }),
    vendors.gsxEntry(),
  ]);
});
after(async () => {
  await workers.close();
  await vendors.close();
  await database.close();
});

const serialOf = (letter: string, n: number) => `${letter}17XK1A${String(n).padStart(4, '0')}`;
const count = 40;

async function seed() {
  for (let n = 0; n < count; n++) {
    await database.pool.query(
      "INSERT INTO registry_devices (source, serial, warranty_title) VALUES ('own', $1, 'Own plan')",
      [serialOf('R', n)],
    );
    apple.devices.push({
      id: `D${n}`,
      attributes: {
        serialNumber: serialOf('A', n),
        deviceModel: 'iPad',
        orderDateTime: '2026-01-15T08:00:00Z',
      },
      coverage: [
        {
          status: 'ACTIVE',
          paymentType: 'NONE',
          description: 'Limited Warranty',
          startDateTime: '2026-01-15T00:00:00Z',
          endDateTime: '2027-01-14T00:00:00Z',
          isCanceled: false,
        },
      ],
    });
    gsx.devices.set(serialOf('G', n), {
      body: {
        device: { productDescription: 'iPhone', activationDetails: { firstActivationDate: '2026-01-11' } },
      },
    });
  }
  gsx.devices.set(serialOf('X', 1), {
    status: 400,
    body: { errors: [{ code: 'BAD', message: 'Malformed.' }] },
  });
}

type Row = {
  serial: string;
  state: string;
  reason: string | null;
  type: string | null;
  title: string | null;
  source: string;
  attempts: number;
  egress: string | null;
  cached: boolean;
};

async function lookUp(serials: string[]): Promise<Row[]> {
  const ticket = await importTicket(database.pool, serials);
  await waitUntilCompleted(database.pool, ticket);
  const { rows } = await database.pool.query<Row>(
    `SELECT serial, state, reason, type, warranty_title AS title, source, attempts, egress, cached
     FROM serials WHERE ticket_id = $1 ORDER BY position`,
    [ticket],
  );
  return rows;
}

test('two workers share sessions, tokens and the index, and every row gets its answer', async () => {
  await seed();
  await Promise.all([workers.start(env()), workers.start(env())]);
  const serials = ['R', 'A', 'G'].flatMap((letter) =>
    Array.from({ length: count }, (_, n) => serialOf(letter, n)),
  );
  const rows = await lookUp([...serials, serialOf('X', 1), serialOf('Y', 1)]);
  const answers = {
    R: ['own', null, 'Own plan'],
    A: ['apple', 'iPad', 'Limited Warranty'],
    G: ['gsx', 'iPhone', null],
  };
  for (const row of rows.slice(0, serials.length)) {
    const [source, type, title] = answers[row.serial[0] as keyof typeof answers];
    assert.deepEqual(row, {
      serial: row.serial,
      state: 'done',
      reason: null,
      type,
      title,
      source,
      attempts: 1,
      egress: source === 'own' ? null : 'direct',
      cached: false,
    });
  }
  assert.deepEqual(
    rows.slice(serials.length).map(({ state, reason, source }) => [state, reason, source]),
    [
      ['failed', 'Rejected by source', 'gsx'],
      ['failed', 'Not found', 'gsx'],
    ],
  );
  assert.deepEqual([gsx.tokens(), gsx.problems], [{ given: 1, concurrency: 1 }, []]);
  assert.deepEqual([apple.count('/token'), apple.problems], [1, []]);
  assert.equal(apple.count('/orgDevices'), Math.ceil(count / apple.settings.pageSize));
  assert.equal(apple.count('/appleCareCoverage'), count);
});

test('answers of services are reused, and answers of registries are not', async () => {
  const calls = gsx.received.length + apple.received.length;
  await database.pool.query("UPDATE registry_devices SET warranty_title = 'Newer plan'");
  const rows = await lookUp(['R', 'A', 'G'].map((letter) => serialOf(letter, 3)));
  assert.deepEqual(
    rows.map(({ source, title, cached }) => [source, title, cached]),
    [
      ['own', 'Newer plan', false],
      ['apple', 'Limited Warranty', true],
      ['gsx', null, true],
    ],
  );
  assert.equal(gsx.received.length + apple.received.length, calls);
});

test('an expired session is renewed, and rows wait while a session needs a new activation token', async () => {
  const more = Array.from({ length: 20 }, (_, n) => serialOf('H', n));
  for (const serial of more) gsx.devices.set(serial, { body: { device: { productDescription: 'iPhone' } } });
  gsx.endSession();
  for (const row of await lookUp(more)) assert.deepEqual([row.state, row.attempts], ['done', 1]);
  assert.equal(gsx.tokens().concurrency, 1);

  const later = Array.from({ length: 5 }, (_, n) => serialOf('K', n));
  for (const serial of later) gsx.devices.set(serial, { body: { device: { productDescription: 'iPhone' } } });
  const forgiven = gsx.lockOut('what a person will fetch');
  const ticket = await importTicket(database.pool, later);
  const waiting = () =>
    readTicket(database.pool, ticket).then((row) => row?.waiting_source === 'GSX' && row.failed === 0);
  await waitFor('the ticket to wait for GSX', waiting);
  forgiven();
  await waitUntilCompleted(database.pool, ticket);
  assert.partialDeepStrictEqual(await readTicket(database.pool, ticket), { done: 5, failed: 0 });
  assert.deepEqual(gsx.problems, []);
});

test('a ticket says that it waits while another worker exchanges the token', async () => {
  const serials = [1, 2, 3, 4].map((n) => serialOf('W', n));
  for (const serial of serials)
    apple.devices.push({ id: serial, attributes: { serialNumber: serial }, coverage: [] });
  await database.pool.query("UPDATE apple_indexes SET completed_at = now() - interval '2 days'");
  await database.pool.query(
    "UPDATE apple_tokens SET token = NULL, holder = gen_random_uuid(), held_until = now() + interval '90 seconds'",
  );
  const ticket = await importTicket(database.pool, serials);
  const waiting = () =>
    readTicket(database.pool, ticket).then((row) => row?.waiting_source === 'apple' && row.failed === 0);
  await waitFor('the ticket to wait for the source', waiting);
  await database.pool.query('UPDATE apple_tokens SET holder = NULL, held_until = NULL');
  await waitUntilCompleted(database.pool, ticket);
  assert.partialDeepStrictEqual(await readTicket(database.pool, ticket), { done: 4, failed: 0 });
});

test('a row is retried after the wait that Apple asks for', async () => {
  apple.devices.push({ id: 'late', attributes: { serialNumber: serialOf('A', 99) }, coverage: [] });
  await database.pool.query("UPDATE apple_indexes SET completed_at = now() - interval '2 days'");
  apple.interrupt('/late/appleCareCoverage', { status: 429, headers: { 'retry-after': '1' }, body: {} });
  const [row] = await lookUp([serialOf('A', 99)]);
  assert.partialDeepStrictEqual(row, { state: 'done', source: 'apple', attempts: 2 });
});

test('requests for tokens, index pages and agreements count towards the limit', async (t) => {
  const perSecond = 4;
  const [device] = apple.devices;
  assert.ok(device);
  for (let n = 0; n < 6; n++) {
    const [agreement] = device.coverage;
    apple.devices.push({
      id: `P${n}`,
      attributes: { serialNumber: serialOf('P', n) },
      coverage: Array.from({ length: 3 }, () => ({ ...agreement })),
    });
  }
  await database.pool.query('DELETE FROM apple_tokens');
  await database.pool.query("UPDATE apple_indexes SET completed_at = now() - interval '2 days'");
  const limited = await prepareWorkers(database.url, [vendors.appleEntry({ per_second: perSecond })]);
  t.after(() => limited.close());
  const before = apple.received.length;
  await workers.close();
  await limited.start(env());
  for (const row of await lookUp(Array.from({ length: 6 }, (_, n) => serialOf('P', n))))
    assert.partialDeepStrictEqual(row, { state: 'done', source: 'apple', attempts: 1 });
  const times = apple.received.slice(before).map(({ at }) => at);
  // One request for a token, one per index page of three devices, and two pages of agreements per row.
  assert.equal(times.length, 1 + Math.ceil(apple.devices.length / apple.settings.pageSize) + 6 * 2);
  // Half a second of tolerance for a busy machine.
  const crowded = times.filter((at, index) => (times[index + perSecond] ?? Infinity) - at < 500);
  assert.deepEqual(crowded, []);
});

test('a worker with an unreadable file does not start, and names the file', async () => {
  const broken = await prepareWorkers(database.url, [
    { ...vendors.gsxEntry(), client_cert: join(tmpdir(), 'none.pem') },
  ]);
  await assert.rejects(
    broken.start(env()),
    /SOURCES_FILE gsx\.client_cert: the file cannot be read \(ENOENT\)/,
  );
  await broken.close();
});
