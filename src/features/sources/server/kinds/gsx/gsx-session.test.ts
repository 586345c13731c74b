import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { countOpenTransactions } from '#tests/support/database/open-transactions.ts';
import {
  type GsxProvider,
  gsxDeviceFound,
  gsxImei,
  startGsxProvider,
} from '#tests/support/sources/gsx-provider.ts';
import { waitFor } from '#tests/support/wait.ts';

let provider: GsxProvider;
before(async () => {
  provider = await startGsxProvider();
});
after(() => provider.close());
beforeEach(() => provider.restart());

const untilTokenCalls = (count: number) =>
  waitFor(`${count} token requests`, async () => provider.tokenCalls().length === count);

test('two workers exchange the token once, without an open transaction, although GSX takes 6.5 s', async () => {
  const workers = await Promise.all([provider.open(), provider.open()]);
  const release = provider.gsx.holdTokens();
  const asked = workers.map((worker) => worker.ask(gsxImei));
  await untilTokenCalls(1);
  const openTransactions = await countOpenTransactions(provider.database.pool);
  await delay(6500);
  release();
  assert.deepEqual(await Promise.all(asked), [gsxDeviceFound, gsxDeviceFound]);
  assert.deepEqual(provider.gsx.tokens(), { given: 1, concurrency: 1 });
  assert.equal(openTransactions, 0);
  for (const worker of workers) await worker.close();
});

test('a worker that died during an exchange loses the lease when it expires', async () => {
  const { pool } = provider.database;
  await pool.query(
    `INSERT INTO gsx_sessions (account, holder, held_until)
     VALUES ($1, gen_random_uuid(), clock_timestamp() + interval '2 seconds')`,
    [`${provider.gsx.url}/ operator@example.test`],
  );
  const source = await provider.open();
  const asked = source.ask(gsxImei);
  await delay(1000);
  assert.equal(provider.tokenCalls().length, 0);
  assert.deepEqual(await asked, gsxDeviceFound);
  assert.equal(provider.gsx.tokens().given, 1);
  await source.close();
});

test('a token that arrives after the lease expired is stored, because GSX accepts no other', async () => {
  const workers = await Promise.all([provider.open(), provider.open()]);
  const release = provider.gsx.holdTokens();
  const first = workers[0]?.ask(gsxImei);
  await untilTokenCalls(1);
  await provider.database.pool.query("UPDATE gsx_sessions SET held_until = now() - interval '1 second'");
  const second = workers[1]?.ask(gsxImei);
  await untilTokenCalls(2);
  release();
  assert.deepEqual(await first, gsxDeviceFound);
  // GSX refuses the second exchange of a token, possibly before the first worker has stored the new token.
  await second;
  assert.deepEqual(await workers[1]?.ask(gsxImei), gsxDeviceFound);
  assert.equal(provider.gsx.tokens().given, 1);
  for (const worker of workers) await worker.close();
});

test('a token is stored even if the database connection breaks during the exchange', async () => {
  const source = await provider.open();
  const release = provider.gsx.holdTokens();
  const asked = source.ask(gsxImei);
  await untilTokenCalls(1);
  await provider.database.pool.query('ALTER TABLE gsx_sessions RENAME TO hidden_sessions');
  await provider.database.pool.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  release();
  await delay(1000);
  await provider.database.pool.query('ALTER TABLE hidden_sessions RENAME TO gsx_sessions');
  assert.deepEqual(await asked, gsxDeviceFound);
  assert.deepEqual(await source.ask(gsxImei), gsxDeviceFound);
  assert.equal(provider.gsx.tokens().given, 1);
  await source.close();
});

test('a stopping worker waits for the token that it has requested', async () => {
  const source = await provider.open();
  const release = provider.gsx.holdTokens();
  const asked = source.ask(gsxImei);
  await untilTokenCalls(1);
  const closed = source.close();
  await delay(200);
  release();
  await closed;
  await asked;
  const next = await provider.open();
  assert.deepEqual(await next.ask(gsxImei), gsxDeviceFound);
  assert.equal(provider.gsx.tokens().given, 1);
  await next.close();
});
