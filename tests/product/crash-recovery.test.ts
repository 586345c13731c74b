import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import {
  type Client,
  callApi,
  makeStandardUser,
  signInAs,
  uploadWorkbook,
} from '#tests/support/product/client.ts';
import { findRegisterFaults } from '#tests/support/product/find-register-faults.ts';
import { type ProductProcess, startProcess } from '#tests/support/product/product-process.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { waitFor } from '#tests/support/wait.ts';

type Progress = { status: string; done: number; failed: number; remaining: number; total: number };
type Row = {
  position: number;
  serial_number: string;
  state: string;
  timestamp: string | null;
  type: string | null;
};

const count = 10_000;
const long = 300_000;
const admin = { email: 'admin@localhost', password: 'a long enough one' };
let dataDir: string;
let product: ProductProcess;
let address: string;

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'coverdesk-crash-'));
});
after(async () => {
  await product.stop();
  await rm(dataDir, { recursive: true });
});

test('10,000 serials get 10,000 outcomes, each once, although all processes are killed midway', async () => {
  const url = await start();
  const user = await makeStandardUser(await signInAs(url, admin.email, admin.password), 'Acme');
  const serials = makeImeis(count);
  const { imported_count, ticket } = await uploadWorkbook(user, new Uint8Array(makeWorkbook(serials)));
  assert.equal(imported_count, count);
  const progressOf = (caller: Client) => progressAs(caller, ticket.ticket_number);

  const early = await waitFor(
    'a third of the outcomes',
    async () => {
      const progress = await progressOf(user);
      return progress.done + progress.failed > count / 3 && progress;
    },
    long,
  );
  assert.ok(early.remaining > 0, 'the crash comes in the middle');
  await crash();

  const again = { url: await start(), token: user.token };
  const after = await progressOf(again);
  assert.ok(after.done + after.failed >= early.done + early.failed, 'what was told to be done stays done');
  const end = await waitFor(
    'the end',
    async () => {
      const progress = await progressOf(again);
      return progress.status === 'Completed' && progress;
    },
    long,
  );
  assert.deepEqual([end.done + end.failed, end.total, end.remaining], [count, count, 0]);

  const rows = await readRows(again, ticket.ticket_number);
  assert.deepEqual(
    rows.map((row) => row.serial_number),
    serials,
  );
  assert.deepEqual(
    rows.filter((row) => row.state === 'pending'),
    [],
  );
  assert.equal(rows.filter((row) => row.state === 'done').length, end.done);
  // Each outcome is counted in the minute of its write, so a second write would be counted twice.
  assert.equal(await countFinished(ticket.ticket_number), count);
});

test('the register of devices equals its recomputation after kills during tickets with shared serials', async () => {
  const first = await signInAs(address, admin.email, admin.password);
  const { token } = await makeStandardUser(first, 'Register');
  const serials = makeImeis(4000);
  let user = { url: address, token };
  const tickets: string[] = [];
  for (const round of [0, 1, 2]) {
    // Each ticket shares half of its serials with the one before.
    const own = serials.slice(1000 * round, 1000 * round + 2000);
    const { ticket } = await uploadWorkbook(user, new Uint8Array(makeWorkbook(own)));
    tickets.push(ticket.ticket_number);
    await waitFor(
      'some results',
      async () => {
        const { done } = await progressAs(user, ticket.ticket_number);
        return done > 0;
      },
      long,
    );
    await crash();
    user = { url: await start(), token };
  }
  for (const ticket of tickets) {
    await waitFor('the end', async () => (await progressAs(user, ticket)).status === 'Completed', long);
  }
  const client = await connect();
  try {
    await waitFor(
      'the registration of all results',
      async () => (await client.query('SELECT FROM unregistered_results')).rowCount === 0,
      long,
    );
    assert.deepEqual(await findRegisterFaults(client), []);
    const { rows } = await client.query<{ known: number }>('SELECT count(*)::integer AS known FROM devices');
    assert.ok((rows[0]?.known ?? 0) > 1000, 'the sandbox knows most serials');
  } finally {
    await client.end();
  }
});

function progressAs(caller: Client, ticket: string): Promise<Progress> {
  return callApi<Progress>(caller, 'GET', `/tickets/progress?ticket_number=${ticket}`);
}

async function start(): Promise<string> {
  product = startProcess('start', {
    DATA_DIR: dataDir,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    LOG_LEVEL: 'warn',
  });
  address = await product.ready();
  return address;
}

/** Kills every process of the product and the database server, as a power cut does. */
async function crash(): Promise<void> {
  const pidFile = join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
  process.kill(Number((await readFile(pidFile, 'utf8')).split('\n')[0]), 'SIGKILL');
  await product.killAll();
}

async function readRows(caller: Client, ticket: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; rows.length < count; page++) {
    const path = `/imei?ticket_number=${ticket}&page=${page}&limit=1000`;
    const { data } = await callApi<{ data: Row[] }>(caller, 'GET', path);
    assert.ok(data.length > 0, 'a page of rows');
    rows.push(...data);
  }
  return rows;
}

/** Connects to the product's own database. */
async function connect(): Promise<pg.Client> {
  const read = (name: string) => readFile(join(dataDir, 'postgres', name), 'utf8');
  const client = new pg.Client({
    host: '127.0.0.1',
    port: Number(await read('port')),
    user: 'coverdesk',
    password: await read('password'),
  });
  await client.connect();
  return client;
}

async function countFinished(ticket: string): Promise<number> {
  const client = await connect();
  const { rows } = await client.query<{ finished: number }>(
    `SELECT sum(m.finished)::integer AS finished
     FROM ticket_minutes m JOIN tickets t ON t.id = m.ticket_id WHERE t.ticket_number = $1`,
    [ticket],
  );
  await client.end();
  return rows[0]?.finished ?? 0;
}
