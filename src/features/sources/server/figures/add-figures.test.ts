import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { makeSourceQueue } from '#tests/support/lookups/source-queue.ts';
import { addFigures } from './add-figures.ts';
import { listSourceMinutes } from './call-counts.queries.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
  await database.pool.query("INSERT INTO sources (name, key) VALUES ('shop', 'shop'), ('store', 'store')");
  await database.pool.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
     AS $$ BEGIN RAISE EXCEPTION 'refused for a test'; END $$`,
  );
});
after(() => database.close());
beforeEach(() => database.pool.query('TRUNCATE source_minutes'));

/** Returns the calls and found devices of each source in the shared figures. */
async function readFigures(): Promise<Record<string, [number, number]>> {
  const figures: Record<string, [number, number]> = {};
  for (const { source, calls, outcomes, latencies } of await listSourceMinutes.all(database.pool, {
    now: new Date(),
  })) {
    const [before, found] = figures[source] ?? [0, 0];
    figures[source] = [before + calls, found + (outcomes.found ?? 0)];
    assert.equal(
      latencies.reduce((sum, count) => sum + count, 0),
      calls,
    );
  }
  return figures;
}

type Change = 'INSERT OR UPDATE ON source_minutes' | 'UPDATE ON sources';

/** Makes the database refuse a change of the source's rows while some work runs. */
async function whileRefused(change: Change, source: string, act: () => Promise<void>): Promise<void> {
  const table = change === 'UPDATE ON sources' ? 'sources' : 'source_minutes';
  const column = table === 'sources' ? 'name' : 'source';
  await database.pool.query(
    `CREATE TRIGGER refuse BEFORE ${change} FOR EACH ROW WHEN (NEW.${column} = '${source}') EXECUTE FUNCTION refuse()`,
  );
  await act();
  await database.pool.query(`DROP TRIGGER refuse ON ${table}`);
}

const changes: Change[] = ['INSERT OR UPDATE ON source_minutes', 'UPDATE ON sources'];
for (const change of changes) {
  test(`call counts whose ${change} is refused are added with those of the next round, once`, async () => {
    const shop = makeSourceQueue('shop');
    const store = makeSourceQueue('store');
    shop.callCounter.record('found', 2, null);
    shop.callCounter.record('retry', 900, 'HTTP 503');
    store.callCounter.record('found', 3, null);
    await whileRefused(change, 'shop', async () => {
      await assert.rejects(addFigures(database.pool, [shop, store]), /refused for a test/);
      assert.deepEqual(await readFigures(), {});
    });
    shop.callCounter.record('found', 5, null);
    await addFigures(database.pool, [shop, store]);
    assert.deepEqual(await readFigures(), { shop: [3, 2], store: [1, 1] });
    const { rows } = await database.pool.query("SELECT last_error FROM sources WHERE name = 'shop'");
    assert.equal(rows[0].last_error, 'HTTP 503');
    await addFigures(database.pool, [shop, store]);
    assert.deepEqual(await readFigures(), { shop: [3, 2], store: [1, 1] });
  });
}

test('call counts are kept while the database is unreachable, after one attempt for all sources', async (t) => {
  let tried = 0;
  const closing = createServer((socket) => {
    tried += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  t.after(() => closing.close());
  await once(closing, 'listening');
  const { port } = closing.address() as AddressInfo;
  const pool = new pg.Pool({ host: '127.0.0.1', port });
  const [shop, store] = [makeSourceQueue('shop'), makeSourceQueue('store')];
  for (const { callCounter } of [shop, store]) callCounter.record('found', 2, null);
  await assert.rejects(addFigures(pool, [shop, store]), /Connection terminated|ECONNRESET/);
  assert.equal(tried, 1);
  await pool.end();
  await addFigures(database.pool, [shop, store]);
  assert.deepEqual(await readFigures(), { shop: [1, 1], store: [1, 1] });
});
