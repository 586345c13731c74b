import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { waitFor } from '#tests/support/wait.ts';
import { registerProcess } from './process-registration.ts';
import { insertProcess } from './processes.queries.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

test('a process logs that the database is back once its heartbeat succeeds again', async () => {
  const { db } = database;
  const lines: { msg: string; seconds?: number }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const registration = await registerProcess({
    db,
    log,
    settings: { kind: 'worker', sources: [], fingerprints: {} },
    abort: (reason) => assert.fail(reason),
  });
  const find = (text: string) => async () => lines.find(({ msg }) => msg.includes(text));
  await db.query('ALTER TABLE processes RENAME TO processes_away');
  await waitFor('a failed heartbeat', find('the heartbeat of this process failed'), 30_000);
  await db.query('ALTER TABLE processes_away RENAME TO processes');
  const back = await waitFor('the next heartbeat', find('the database is back'), 30_000);
  assert.ok((back?.seconds ?? 0) >= 1);
  await registration.end();
});

test('a process ends without failure when the database is away', async () => {
  const { db } = database;
  const lines: string[] = [];
  const registration = await registerProcess({
    db,
    log: pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line).msg) }),
    settings: { kind: 'worker', sources: [], fingerprints: {} },
    abort: (reason) => assert.fail(reason),
  });
  await db.query('ALTER TABLE processes RENAME TO processes_away');
  await registration.end();
  await db.query('ALTER TABLE processes_away RENAME TO processes');
  assert.match(lines.at(-1) ?? '', /could not be removed/);
});

test('a process that died before the database’s clock was set back delays a start by its lease alone', {
  timeout: 60_000,
}, async () => {
  const { db } = database;
  const settings = { kind: 'worker', sources: [], fingerprints: { SOURCES_FILE: 'old' } } as const;
  const gone = { ...settings, id: randomUUID(), sources: [], host: 'here', pid: 1, version: '1.0.0' };
  await insertProcess.run(db, gone);
  // The same as setting the clock back by two hours.
  await db.query("UPDATE processes SET last_seen = last_seen + interval '2 hours'");
  const registration = await registerProcess({
    db,
    log: pino({ level: 'silent' }),
    settings: { kind: 'worker', sources: [], fingerprints: { SOURCES_FILE: 'new' } },
    abort: (reason) => assert.fail(reason),
  });
  await registration.end();
});
