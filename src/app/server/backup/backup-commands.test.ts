import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parseConfig } from '#server/runtime/config.ts';
import { createLog } from '#server/runtime/log.ts';
import { StartError } from '#server/runtime/start-error.ts';
import { createEmptyDatabase, createTestDatabase } from '#tests/support/database/database.ts';
import { holdLock, waitForWaiting } from '#tests/support/database/race.ts';
import { waitFor } from '#tests/support/wait.ts';
import { Stop } from '../processes/stop.ts';
import { runBackup, runRestore } from './backup-commands.ts';

async function prepare(t: TestContext, database: { url: string; close(): Promise<void> }) {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-stopped-backup-'));
  t.after(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });
  const config = parseConfig({ DATA_DIR: folder, DATABASE_URL: database.url });
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const stop = new Stop();
  return { folder, lines, options: { config, log: createLog('test', 'silent'), stop, print } };
}

/** Makes a backup of a new database, and returns its file. */
async function makeBackup(t: TestContext): Promise<string> {
  const { folder, options } = await prepare(t, await createTestDatabase());
  const file = join(folder, 'backup.tar.gz');
  await runBackup({ ...options, args: [file] });
  return file;
}

test('a backup that is stopped says in one line that it was not written', async (t) => {
  const database = await createTestDatabase();
  const { folder, lines, options } = await prepare(t, database);
  const file = join(folder, 'backup.tar.gz');
  const holder = await database.pool.connect();
  try {
    await holder.query('BEGIN; LOCK TABLE tickets IN ACCESS EXCLUSIVE MODE');
    const stopped = assert.rejects(runBackup({ ...options, args: [file] }), (error: Error) => {
      assert.ok(error instanceof StartError, error.stack);
      assert.equal(error.message, `Stopped: ${file} was not written.`);
      return true;
    });
    await waitFor('the backup to wait for the lock', async () => {
      const { rows } = await database.pool.query(
        'SELECT FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())',
      );
      return rows.length > 0;
    });
    options.stop.request('replaced');
    await stopped;
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
  assert.deepEqual([lines, await readdir(folder)], [[], []]);
});

test('a backup that is complete but cannot be recorded says so', async (t) => {
  const database = await createTestDatabase();
  const { folder, options } = await prepare(t, database);
  await database.pool.query('ALTER TABLE backups ADD CONSTRAINT none CHECK (false) NOT VALID');
  const file = join(folder, 'backup.tar.gz');
  await assert.rejects(runBackup({ ...options, args: [file] }), (error: Error) => {
    assert.ok(error instanceof StartError, error.stack);
    assert.ok(error.message.startsWith(`${file} was written, but not recorded: `), error.message);
    return true;
  });
});

test('a restore that is stopped says in one line that nothing was restored', async (t) => {
  const file = await makeBackup(t);
  const target = await createEmptyDatabase();
  const { lines, options } = await prepare(t, target);
  const restoring = runRestore({ ...options, args: [file] });
  options.stop.request('replaced');
  await assert.rejects(restoring, (error: Error) => {
    assert.ok(error instanceof StartError, error.stack);
    assert.equal(error.message, 'Stopped: nothing was restored.');
    return true;
  });
  const { rows } = await target.pool.query("SELECT FROM pg_tables WHERE schemaname = 'public'");
  assert.deepEqual([lines.length, rows], [1, []]);
});

test('a restore does not wait for ever for another session that uses a table', {
  timeout: 60_000,
}, async (t) => {
  const file = await makeBackup(t);
  const target = await createTestDatabase();
  const { options } = await prepare(t, target);
  await holdLock(target.pool, ['LOCK TABLE users IN ACCESS SHARE MODE', []], async () => {
    await assert.rejects(runRestore({ ...options, args: [file] }), (error: Error) => {
      assert.ok(error instanceof StartError, error.stack);
      assert.match(error.message, /^Another session uses a table of the database: end it, /);
      return true;
    });
  });
});

test('a restore names the database that it fills, without the password', async (t) => {
  const file = await makeBackup(t);
  const target = await createEmptyDatabase();
  const { lines, options } = await prepare(t, target);
  await runRestore({ ...options, args: [file] });
  const { host, pathname, password } = new URL(target.url);
  const place = `the database ${pathname.slice(1)} on ${host}`;
  assert.equal(lines[0], `Restoring ${file} into ${place}`);
  assert.ok(lines[1]?.startsWith(`Restore complete: `) && lines[1].includes(` in ${place}, `), lines[1]);
  assert.ok(password === '' || !lines.join().includes(password));
});

test('a restore without DATABASE_URL names the folder of the embedded database', async (t) => {
  const { folder, lines, options } = await prepare(t, await createEmptyDatabase());
  const config = parseConfig({ DATA_DIR: folder });
  const file = join(folder, 'none.tar.gz');
  const restoring = runRestore({ ...options, config, args: [file] });
  await assert.rejects(restoring, /none\.tar\.gz cannot be read/);
  await options.stop.closeAll(assert.ifError);
  assert.deepEqual(lines, [`Restoring ${file} into the embedded database of DATA_DIR (${folder})`]);
});

test('a restore of an encrypted file with --unencrypted advises to leave that out', async (t) => {
  const source = await createTestDatabase();
  const { folder, options } = await prepare(t, source);
  const config = { ...options.config, BACKUP_KEY: 'a key of the tests with 32 bytes or more' };
  const file = join(folder, 'backup.enc');
  await runBackup({ ...options, config, args: [file, '--encrypt'] });
  await assert.rejects(runRestore({ ...options, config, args: [file, '--unencrypted'] }), (error: Error) => {
    assert.ok(error instanceof StartError, error.stack);
    assert.equal(error.message, `${file} is encrypted: leave out --unencrypted`);
    return true;
  });
});

test('a restore that waits for another one is stopped at once', async (t) => {
  const file = await makeBackup(t);
  const target = await createEmptyDatabase();
  const { options } = await prepare(t, target);
  await holdLock(target.pool, ['SELECT pg_advisory_xact_lock($1)', [0x436f766d]], async () => {
    const restoring = runRestore({ ...options, args: [file] });
    restoring.catch(() => undefined);
    await waitForWaiting(target.pool, 1);
    options.stop.request('gently');
    await assert.rejects(restoring, { message: 'Stopped: nothing was restored.' });
  });
});
