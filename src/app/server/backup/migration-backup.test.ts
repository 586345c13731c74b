import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { parseConfig } from '#server/runtime/config.ts';
import { createLog } from '#server/runtime/log.ts';
import { createOldDatabase } from '#tests/support/database/database.ts';
import { openDatabase } from '../database.ts';
import { Stop, StopRequested } from '../processes/stop.ts';

/** Creates a database before migration 095 with one ticket, and a folder. */
async function createOldProduct(t: TestContext) {
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
  return { folder, old };
}

test('a database with tickets is backed up before it is migrated, and not migrated if that fails', async (t) => {
  const { folder, old } = await createOldProduct(t);
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

test('a migration that fails at each start keeps one backup, and deletes none of another day', async (t) => {
  const { folder, old } = await createOldProduct(t);
  // The migration 095 creates an index of this name.
  await old.pool.query('CREATE INDEX backups_ended ON clients (company_code)');
  const kept = join(folder, 'kept');
  const yesterday = 'coverdesk-20260101T200000Z-1.0.0.tar.gz';
  await mkdir(kept);
  await writeFile(join(kept, yesterday), '');
  const config = parseConfig({
    DATA_DIR: folder,
    DATABASE_URL: old.url,
    BACKUP_DIR: kept,
    BACKUP_KEEP: '2',
    MIN_FREE_MB: '0',
  });
  let newest: string | undefined;
  for (let starts = 0; starts < 3; starts++) {
    await delay(1000); // The names of files have whole seconds.
    await assert.rejects(openDatabase(config, createLog('test', 'silent'), new Stop()), /095-operations/);
    const [first, before, ...others] = (await readdir(kept)).sort();
    assert.deepEqual([first, others], [yesterday, []]);
    assert.notEqual(before, newest);
    newest = before;
  }
  assert.match(newest ?? '', /-before-095-operations\.tar\.gz$/);
});

test('parts of backups before a migration are deleted at the next start, and no part of a scheduled one', async (t) => {
  const { folder, old } = await createOldProduct(t);
  const kept = join(folder, 'kept');
  const scheduled = 'coverdesk-20260101T200000Z-1.0.0.tar.gz.partial';
  await mkdir(kept);
  const killed = ['-before-095-operations.tar.gz', '-before-094-other.enc'];
  for (const name of [scheduled, ...killed.map((end) => `coverdesk-20260101T210000Z-1.0.0${end}.partial`)])
    await writeFile(join(kept, name), 'cut off');
  const config = parseConfig({
    DATA_DIR: folder,
    DATABASE_URL: old.url,
    BACKUP_DIR: kept,
    MIN_FREE_MB: '0',
  });
  await openDatabase(config, createLog('test', 'silent'), new Stop());
  const [first, made, ...others] = (await readdir(kept)).sort();
  assert.deepEqual([first, others], [scheduled, []]);
  assert.match(made ?? '', /-before-095-operations\.tar\.gz$/);
});
