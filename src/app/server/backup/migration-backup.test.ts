import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseConfig } from '#server/runtime/config.ts';
import { createLog } from '#server/runtime/log.ts';
import { createOldDatabase } from '#tests/support/database/database.ts';
import { openDatabase } from '../database.ts';
import { Stop, StopRequested } from '../processes/stop.ts';

test('a database with tickets is backed up before it is migrated, and not migrated if that fails', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-upgrade-'));
  const old = await createOldDatabase(95);
  t.after(async () => {
    await old.close();
    await rm(folder, { recursive: true });
  });
  await old.pool.query("INSERT INTO clients (company_name, company_code) VALUES ('Acme', 'ACM001')");
  await old.pool.query(
    `INSERT INTO tickets (ticket_number, company_code, data_count, price, current_dollar_price)
     VALUES (1, 'ACM001', 1, 0.05, 16000)`,
  );
  const start = (BACKUP_DIR: string, MIN_FREE_MB = '0', stop = new Stop()) => {
    const config = parseConfig({ DATA_DIR: folder, DATABASE_URL: old.url, BACKUP_DIR, MIN_FREE_MB });
    return openDatabase(config, createLog('test', 'silent'), stop);
  };
  const newest = async () => {
    const { rows } = await old.pool.query('SELECT max(number) AS number FROM schema_migrations');
    return rows[0].number as number;
  };
  const before = await newest();
  const file = join(folder, 'file');
  await writeFile(file, '');
  await assert.rejects(
    start(file),
    /^Error: The backup before the migration 095-operations.sql failed, so the database was not migrated/,
  );
  await assert.rejects(
    start(join(folder, 'kept'), '1000000000'),
    /was not migrated: .* cannot be written: fewer than 1000000000 MB of its disk are free \(MIN_FREE_MB\)/,
  );
  assert.deepEqual(await readdir(join(folder, 'kept')), []);
  const stop = new Stop();
  const check = stop.check.bind(stop);
  let checks = 0;
  // Ctrl-C during the backup: the start has checked for it before.
  stop.check = () => {
    if (checks++ > 0) stop.request('quickly');
    check();
  };
  await assert.rejects(start(join(folder, 'kept'), '0', stop), StopRequested);
  assert.equal((await readdir(join(folder, 'kept'))).length, 1);
  await rm(join(folder, 'kept'), { recursive: true });
  assert.equal(await newest(), before);
  await start(join(folder, 'kept'));
  assert.ok((await newest()) > before);
  assert.equal((await readdir(join(folder, 'kept'))).length, 1);
});
