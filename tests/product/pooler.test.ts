import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { reachDatabase } from '#app/server/database.ts';
import { Stop } from '#app/server/processes/stop.ts';
import { parseConfig } from '#server/runtime/config.ts';
import { createEmptyDatabase } from '#tests/support/database/database.ts';
import { type PgBouncer, startPgBouncer } from '#tests/support/database/pgbouncer.ts';
import { callApi, makeStandardUser, uploadWorkbook } from '#tests/support/product/client.ts';
import { startProduct } from '#tests/support/product/product-process.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { waitFor } from '#tests/support/wait.ts';

// Runs the product through a real PgBouncer in transaction mode.
const count = 500;
let scratch: string;
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let pooler: PgBouncer | undefined;

before(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'coverdesk-pooler-'));
  database = await createEmptyDatabase();
  pooler = await startPgBouncer(database.url);
});
after(async () => {
  await pooler?.stop();
  await database.close();
  await rm(scratch, { recursive: true });
});

/** Waits for the database as a start does. @returns the connection string and the lines of the log */
async function reach(env: Record<string, string>): Promise<{ url: string; lines: string[] }> {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
  return { url: await reachDatabase(parseConfig(env), log, new Stop()), lines };
}

test('a start names the variable for the server itself, or the missing timeouts of the pooler', async (t) => {
  if (!pooler) return t.skip('pgbouncer is not installed');
  await assert.rejects(
    reach({ DATABASE_URL: pooler.url }),
    /^Error: DATABASE_URL leads to a connection pooler: set DATABASE_DIRECT_URL/,
  );
  await assert.rejects(
    reach({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: pooler.url }),
    /^Error: DATABASE_DIRECT_URL leads to a connection pooler/,
  );
  const DATABASE_DIRECT_URL = database.url;
  assert.deepEqual(await reach({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL }), {
    url: database.url,
    lines: [],
  });
  const { lines } = await reach({ DATABASE_URL: pooler.urlWithoutTimeouts, DATABASE_DIRECT_URL });
  assert.match(lines.join('\n'), /^[^\n]*no statement_timeout: set it in the connect_query[^\n]*\n?$/);
});

test('the product signs in, imports, looks up, exports and deletes through PgBouncer in transaction mode', async (t) => {
  if (!pooler) return t.skip('pgbouncer is not installed');
  const product = await startProduct({
    dataDir: scratch,
    env: {
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: database.url,
      JWT_SECRET: 'signs the sessions of this test alone',
    },
  });
  try {
    const user = await makeStandardUser(product.admin, 'Acme');
    const workbook = new Uint8Array(makeWorkbook(makeImeis(count)));
    const { ticket } = await uploadWorkbook(user, workbook);
    const query = `ticket_number=${ticket.ticket_number}`;
    await waitFor(
      'all outcomes',
      async () => {
        const path = `/tickets/progress?${query}`;
        const { status } = await callApi<{ status: string }>(user, 'GET', path);
        return status === 'Completed';
      },
      120_000,
    );
    const file = await fetch(`${product.url}/api/imei/download?${query}&format=json`, {
      headers: { authorization: `Bearer ${user.token}` },
    });
    assert.equal(file.status, 200);
    assert.equal(((await file.json()) as unknown[]).length, count);
    await callApi(user, 'DELETE', `/imei/${ticket.ticket_number}`);
    const { pagination } = await callApi<{ pagination: { totalItems: number } }>(
      user,
      'GET',
      `/imei?${query}`,
    );
    assert.equal(pagination.totalItems, 0);
  } finally {
    await product.stop();
  }
  assert.deepEqual(product.process.log, []);
});
