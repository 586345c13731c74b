import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import Fastify from 'fastify';
import { findLastBackup, findLastGoodBackup } from '#server/backup/backups.queries.ts';
import { inTransaction } from '#server/db/db.ts';
import { insertProcess, renewProcess } from '#server/processes/processes.queries.ts';
import type { Context } from '#server/runtime/context.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { importTicket, makeSerials } from '#tests/support/lookups/tickets.ts';
import { waitFor } from '#tests/support/wait.ts';
import { noteDatabaseSize } from './operations.queries.ts';
import { backUpWhenDue, scheduleBackups } from './scheduled-backups.ts';

let folder: string;
let api: TestApi;
let admin: TestUser;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coverdesk-scheduled-'));
  api = await createTestApi({
    BACKUP_DIR: join(folder, 'kept'),
    BACKUP_KEEP: '2',
    APP_TIMEZONE: 'Asia/Jakarta',
  });
  admin = await createUser(api, { superadmin: true });
});
after(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

const readStatus = async () => {
  const answer = await api.send('GET /api/status', { token: admin.token });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};
const readMetrics = async () => (await api.send('GET /metrics')).body;

test('the status has the processes that are alive, the queue and the database', async () => {
  const { db } = api.context;
  const id = '00000000-0000-4000-8000-000000000001';
  const worker = {
    id,
    kind: 'worker',
    host: 'here',
    pid: 1,
    sources: [],
    fingerprints: {},
    version: '1.2.3',
  } as const;
  await insertProcess.run(db, { ...worker, sources: [] });
  const ticketId = await importTicket(db, makeSerials('QUEUED', 300));
  await renewProcess(db, id, { inFlight: 4, tickets: [ticketId, 999_999], calls: { shop: 3, care: 1 } });
  const status = await readStatus();
  assert.partialDeepStrictEqual(status, {
    queue: { ready: 2, active: 0, waiting: 0 },
    database: { embedded: false },
    backup: null,
    backup_overdue: true,
  });
  assert.match(status.schema, /^\d{3}-.+\.sql$/);
  assert.ok(status.database.size_bytes > 1_000_000);
  assert.partialDeepStrictEqual(status.processes, [
    {
      id,
      kind: 'worker',
      host: 'here',
      version: '1.2.3',
      in_flight: 4,
      tickets: ['1'],
      calls: [
        { source: 'care', calls: 1 },
        { source: 'shop', calls: 3 },
      ],
    },
  ]);
  assert.match(await readMetrics(), /^coverdesk_queue_jobs\{state="ready"\} 2$/m);
  await db.query("UPDATE processes SET last_seen = now() + interval '1 hour'");
  assert.deepEqual((await readStatus()).processes, [], 'a heartbeat of before the clock was set back');
  await db.query("UPDATE processes SET last_seen = now() - interval '11 seconds'");
  assert.deepEqual((await readStatus()).processes, []);
});

test('the size of the database is noted once a day, and the status has it for a day, a week, a month and a year ago', async () => {
  const { db } = api.context;
  await waitFor(
    'the size of today',
    async () => (await db.query('SELECT FROM database_sizes')).rowCount === 1,
  );
  await noteDatabaseSize.run(db, { day: '2026-11-25' });
  await db.query('TRUNCATE database_sizes');
  for (const day of ['2026-11-25', '2026-11-24', '2026-11-20', '2026-11-01', '2026-10-30', '2026-10-20'])
    await db.query('INSERT INTO database_sizes VALUES ($1, extract(day from $1::date) * 1000)', [day]);
  await noteDatabaseSize.run(db, { day: '2026-11-25' });
  api.clock.set(new Date('2026-11-25T05:00:00Z'));
  const { earlier } = (await readStatus()).database;
  api.clock.set(undefined);
  assert.deepEqual(earlier, [
    { day: '2026-11-24', size_bytes: 24_000 },
    { day: '2026-11-01', size_bytes: 1000 },
    { day: '2026-10-20', size_bytes: 20_000 },
  ]);
});

test('two processes make one scheduled backup a day after 3 o’clock, and keep the newest', async () => {
  const at = async (instant: string) => {
    api.clock.set(new Date(instant));
    const made = await Promise.all([backUpWhenDue(api.context), backUpWhenDue(api.context)]);
    return made.filter(Boolean).length;
  };
  const kept = join(folder, 'kept');
  const partial = 'coverdesk-20261001T200000Z-1.0.0.tar.gz.partial';
  await mkdir(kept);
  for (const name of [partial, partial.replace('T20', 'T21')]) await writeFile(join(kept, name), 'cut off');
  await utimes(join(kept, partial), 0, 0);
  // Jakarta is 7 hours ahead of UTC.
  assert.equal(await at('2026-11-20T10:00:00Z'), 1);
  assert.equal(await at('2026-11-20T19:59:00Z'), 0);
  assert.equal(await at('2026-11-20T20:00:30Z'), 1);
  assert.equal(await at('2026-11-21T20:01:00Z'), 1);
  assert.equal(await at('2026-11-22T19:00:00Z'), 0);
  api.clock.set(undefined);
  const files = await readdir(kept);
  // The file of a process that may still write it stays, the one of a process that was killed goes.
  assert.deepEqual(files.map((name) => name.slice(0, 26)).sort(), [
    'coverdesk-20261001T210000Z',
    'coverdesk-20261120T200030Z',
    'coverdesk-20261121T200100Z',
  ]);
  const { backup, backup_overdue } = await readStatus();
  assert.deepEqual([backup.ok, backup.error, backup_overdue], [true, null, false]);
  assert.ok(backup.size_bytes > 1000);
  const metrics = await readMetrics();
  assert.match(metrics, /^coverdesk_backup_last_success_timestamp_seconds \d{10}/m);
  assert.match(metrics, new RegExp(`^coverdesk_backup_size_bytes ${backup.size_bytes}$`, 'm'));
});

test('the metrics count stored mails that failed and are tried again', async () => {
  const { db } = api.context;
  const ticketId = await importTicket(db, makeSerials('MAILED', 1));
  await db.query(
    `INSERT INTO ticket_mails (ticket_id, user_id, kind, attempts, next_at)
     SELECT $1, $2, 'completed', attempts, now() + interval '1 hour' FROM unnest('{0,1,2,3}'::integer[]) AS attempts`,
    [ticketId, admin.id],
  );
  await db.query("UPDATE tickets SET status = 'Completed', finished_at = now() WHERE id = $1", [ticketId]);
  assert.match(await readMetrics(), /^coverdesk_mails_failing 2$/m);
  // Mails about the end of a retried ticket wait until it has ended again.
  await db.query("UPDATE tickets SET status = 'Processing', finished_at = NULL WHERE id = $1", [ticketId]);
  assert.match(await readMetrics(), /^coverdesk_mails_failing 0$/m);
  await db.query("UPDATE ticket_mails SET kind = 'waiting' WHERE attempts = 3");
  assert.match(await readMetrics(), /^coverdesk_mails_failing 1$/m);
  await db.query('DELETE FROM ticket_mails');
  assert.match(await readMetrics(), /^coverdesk_mails_failing 0$/m);
});

test('backups of before the clock was set back are the oldest ones', async () => {
  const { context } = api;
  const kept = join(folder, 'ahead');
  const ahead = { ...context, config: { ...context.config, BACKUP_DIR: kept } };
  for (const instant of ['2027-01-01T20:01:00Z', '2027-01-02T20:01:00Z', '2026-11-22T20:01:00Z']) {
    api.clock.set(new Date(instant));
    assert.equal(await backUpWhenDue(ahead), true);
    await context.db.query(
      'UPDATE backups SET ended_at = started_at WHERE id = (SELECT max(id) FROM backups)',
    );
  }
  api.clock.set(undefined);
  assert.deepEqual((await readdir(kept)).map((name) => name.slice(0, 18)).sort(), [
    'coverdesk-20261122',
    'coverdesk-20270102',
  ]);
  const newest = '2026-11-22T20:01:00.000Z';
  assert.equal((await findLastBackup.first(context.db))?.ended_at.toISOString(), newest);
  assert.equal((await findLastGoodBackup.first(context.db))?.ended_at.toISOString(), newest);
  await context.db.query("DELETE FROM backups WHERE started_at > '2027-01-01'");
});

test('a backup is good although an older one and a part of one cannot be deleted', async (t) => {
  const { context } = api;
  const kept = join(folder, 'undeleted');
  const partial = join(kept, 'coverdesk-20260101T000000Z-0.1.0.tar.gz.partial');
  // A folder is no file that can be deleted as one.
  await mkdir(join(kept, 'coverdesk-20260101T000000Z-0.1.0.tar.gz'), { recursive: true });
  for (const day of ['02', '03']) {
    await writeFile(join(kept, `coverdesk-202601${day}T000000Z-0.1.0.tar.gz`), '');
  }
  await mkdir(partial);
  await utimes(partial, 0, 0);
  const warnings: unknown[] = [];
  const log = { ...context.log, warn: (entry: unknown) => warnings.push(entry), info: () => undefined };
  const undeleted = {
    ...context,
    log,
    config: { ...context.config, BACKUP_DIR: kept },
  } as unknown as Context;
  t.after(async () => {
    api.clock.set(undefined);
    await context.db.query("DELETE FROM backups WHERE started_at > '2026-11-23'");
  });
  api.clock.set(new Date('2026-11-23T20:01:00Z'));
  assert.equal(await backUpWhenDue(undeleted), true);
  assert.equal((await findLastBackup.first(context.db))?.error, null);
  assert.equal(warnings.length, 1);
  assert.deepEqual((await readdir(kept)).map((name) => name.slice(0, 18)).sort(), [
    'coverdesk-20260101',
    'coverdesk-20260101',
    'coverdesk-20260103',
    'coverdesk-20261123',
  ]);
});

/** Other tests have databases on the same server. */
const inThisDatabase = 'database = (SELECT oid FROM pg_database WHERE datname = current_database())';

/** Does some work while a backup that `begin` begins waits for a table. */
const whileBackupWaits = <T>(begin: () => Promise<T>, work: () => Promise<unknown>): Promise<T> =>
  inTransaction(api.context.db, async (other) => {
    await other.query('LOCK TABLE clients IN ACCESS EXCLUSIVE MODE');
    const backup = begin();
    const waiting = `SELECT FROM pg_locks WHERE mode = 'AccessShareLock' AND NOT granted AND ${inThisDatabase}`;
    await waitFor('the backup', async () => ((await api.context.db.query(waiting)).rowCount ?? 0) >= 1);
    await work();
    return backup;
  });

test('a scheduled backup ends when its lock is lost, because another process may begin one', async () => {
  const { db } = api.context;
  api.clock.set(new Date('2026-11-23T20:01:00Z'));
  const made = await whileBackupWaits(
    () => backUpWhenDue(api.context).catch((error: Error) => error),
    async () => {
      const { rowCount } = await db.query(
        `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND ${inThisDatabase}`,
        [0x436f7662],
      );
      assert.equal(rowCount, 1);
    },
  );
  assert.match(String(made), /the connection that held the lock was lost/);
  api.clock.set(undefined);
  const { backup } = await readStatus();
  assert.deepEqual([backup.ok, backup.error], [false, 'the connection that held the lock was lost']);
});

test('a stop ends a scheduled backup, which is no failure: the next start makes it', {
  timeout: 120_000,
}, async () => {
  const app = Fastify();
  const errors: unknown[] = [];
  const log = { ...api.context.log, error: (entry: unknown) => errors.push(entry) };
  const kept = join(folder, 'stopped');
  const config = { ...api.context.config, BACKUP_DIR: kept };
  const context = { ...api.context, config, log } as Context;
  api.clock.set(new Date('2026-11-24T20:01:00Z'));
  scheduleBackups(app, context);
  await whileBackupWaits(
    () => app.listen({ host: '127.0.0.1', port: 0 }),
    () => app.close(),
  );
  assert.deepEqual([errors, await readdir(kept)], [[], []]);
  assert.equal(await backUpWhenDue(context), true);
  api.clock.set(undefined);
});

test('backups that cannot be recorded do not fill the disk', async (t) => {
  const { context } = api;
  const kept = join(folder, 'unrecorded');
  const errors: unknown[] = [];
  const log = { ...context.log, error: (entry: unknown) => errors.push(entry) };
  const unrecorded = { ...context, log, config: { ...context.config, BACKUP_DIR: kept } } as Context;
  await context.db.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$BEGIN RAISE EXCEPTION 'refused'; END$$;
    CREATE TRIGGER refuse BEFORE INSERT ON backups EXECUTE FUNCTION refuse()`);
  t.after(() => context.db.query('DROP TRIGGER refuse ON backups; DROP FUNCTION refuse'));
  t.after(() => api.clock.set(undefined));
  for (const minute of [1, 2, 3, 4]) {
    api.clock.set(new Date(`2026-11-25T20:0${minute}:00Z`));
    await assert.rejects(backUpWhenDue(unrecorded), /refused/);
  }
  assert.equal((await readdir(kept)).length, 2);

  const app = Fastify();
  const pauses = t.mock.method(globalThis, 'setTimeout');
  scheduleBackups(app, unrecorded);
  await app.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.close());
  await waitFor('the failure', async () => errors.length === 1);
  const hour = 60 * 60 * 1000;
  assert.ok(pauses.mock.calls.some((call) => call.arguments[1] === hour));
});

test('a database that is away when a backup may be due is no failed backup, and is asked again after a minute', async (t) => {
  const app = Fastify();
  const lines: string[] = [];
  const log = {
    ...api.context.log,
    warn: (_: unknown, line: string) => lines.push(`warn: ${line}`),
    error: (_: unknown, line: string) => lines.push(`error: ${line}`),
  };
  const query = t.mock.method(api.context.db, 'query');
  query.mock.mockImplementationOnce(async () => {
    throw new Error('away');
  });
  const pauses = t.mock.method(globalThis, 'setTimeout');
  scheduleBackups(app, { ...api.context, log } as unknown as Context);
  await app.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.close());
  await waitFor('the line', async () => lines.length === 1);
  assert.deepEqual(lines, ['warn: it is not known whether a backup is due: trying again in a minute']);
  const minute = 60 * 1000;
  const longPauses = pauses.mock.calls.map((call) => call.arguments[1] ?? 0).filter((ms) => ms >= minute);
  assert.deepEqual(longPauses, [minute]);
});

test('a failed backup is reported, and tried again after an hour', async () => {
  const { context } = api;
  const file = join(folder, 'no-folder');
  await writeFile(file, '');
  const failing = { ...context, config: { ...context.config, BACKUP_DIR: file } };
  api.clock.set(new Date(Date.now() + 7 * 24 * 60 * 60 * 1000));
  await assert.rejects(backUpWhenDue(failing));
  await context.db.query('UPDATE backups SET ended_at = started_at WHERE error IS NOT NULL');
  assert.equal(await backUpWhenDue(failing), false);
  api.clock.set(undefined);
  const { backup, backup_overdue } = await readStatus();
  assert.deepEqual([backup.ok, backup.size_bytes, backup_overdue], [false, null, true]);
  assert.match(backup.error, /EEXIST|ENOTDIR/);
});
