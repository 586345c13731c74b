import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { importTicket, readTicket, waitUntilCompleted } from '#tests/support/lookups/tickets.ts';
import { prepareWorkers, type WorkerProcesses } from '#tests/support/lookups/worker-processes.ts';
import { createAuthority } from '#tests/support/sources/certificates.ts';
import { upstreamEntry } from '#tests/support/sources/upstream.ts';
import { waitFor } from '#tests/support/wait.ts';

const authority = createAuthority('a test');
/** One of this many connections is reset before TLS. */
const faultyEvery = 30;
let connections = 0;
/** Answers once per connection, so that every call opens a connection. */
const service = createSecureServer(authority.issue('service'), (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
  response.end('{"code":0,"model":"Phone"}');
});
const door = createServer((socket) => {
  connections += 1;
  if (connections % faultyEvery === 0) socket.resetAndDestroy();
  else service.emit('connection', socket);
});

let database: TestDatabase;
let workers: WorkerProcesses;
let folder: string;
let listener: pg.Client;
/** The notices about the source. */
const notices: unknown[] = [];
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coverdesk-connects-'));
  await writeFile(join(folder, 'authority.pem'), authority.cert);
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  database = await createTestDatabase();
  listener = new pg.Client({ connectionString: database.url });
  listener.on('notification', ({ payload }) => notices.push(payload));
  await listener.connect();
  await listener.query('LISTEN sources');
  const { port } = door.address() as AddressInfo;
  workers = await prepareWorkers(database.url, [upstreamEntry({ url: `https://127.0.0.1:${port}` })]);
  await workers.start({ NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') });
});
after(async () => {
  await workers.close();
  await listener.end();
  await database.close();
  door.close();
  await rm(folder, { recursive: true, force: true });
});

test('occasional failures to connect stop neither the source nor any row', async () => {
  const id = await importTicket(
    database.pool,
    Array.from({ length: 600 }, (_, n) => `CONNECT${n}`),
  );
  await waitUntilCompleted(database.pool, id, 60_000);
  assert.partialDeepStrictEqual(await readTicket(database.pool, id), { done: 600, failed: 0 });
  const { rows } = await database.pool.query('SELECT max(attempts) AS attempts FROM serials');
  assert.deepEqual(rows, [{ attempts: 1 }]);
  assert.ok(connections >= 620, `${connections} connections`);
  // Notices arrive in order, so this one shows that no other came before.
  await database.pool.query("SELECT pg_notify('sources', 'the last')");
  await waitFor('the last notice', async () => notices.includes('the last'));
  assert.deepEqual(notices, ['the last']);
});
