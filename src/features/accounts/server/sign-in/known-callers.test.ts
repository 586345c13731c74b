import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createTestApi, type TestApi } from '#tests/support/api.ts';
import { createUser } from '#tests/support/factories.ts';
import { KnownCallers } from './known-callers.ts';

const apiProcess = fileURLToPath(new URL('../../../../app/server/processes/api-process.ts', import.meta.url));

let api: TestApi;
let child: ChildProcess;
let url: string;

before(async () => {
  api = await createTestApi();
  await api.app.ready();
  const { config, databaseUrl, jwtSecret, publicUrl } = api.context;
  child = fork(apiProcess, {
    env: {
      PATH: process.env.PATH,
      ...{ DATABASE_URL: databaseUrl, JWT_SECRET: jwtSecret, PUBLIC_URL: publicUrl },
      ...{ DATA_DIR: config.DATA_DIR, PORT: '0', SECRETS_KEY: 'k'.repeat(32) },
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  url = await readAddress(child);
});
after(async () => {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
  await api.close();
});

/** The address that an API says it listens at; what it writes after that is read and left. */
async function readAddress({ stderr }: ChildProcess): Promise<string> {
  let written = '';
  return new Promise((resolve, reject) => {
    stderr?.on('data', (chunk) => {
      written += chunk;
      const address = /listening at (http:[^"\s]+)/.exec(written)?.[1];
      if (address) resolve(address);
    });
    stderr?.once('end', () => reject(new Error(`it ended without an address: ${written}`)));
  });
}

/** Calls the other process until it refuses the token; nothing that was sent a second after the change gets through. */
async function callUntilRefused(token: string, changedAt: number): Promise<void> {
  for (;;) {
    const sentAt = performance.now();
    const headers = { authorization: `Bearer ${token}` };
    const { status } = await fetch(`${url}/api/tickets/last`, { headers });
    if (status === 401) return;
    assert.equal(status, 200);
    assert.ok(sentAt - changedAt < 1000, 'a session was believed for more than a second after its end');
  }
}

async function callOften(token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  for (let i = 0; i < 5; i++) assert.equal((await fetch(`${url}/api/tickets/last`, { headers })).status, 200);
}

test('a session that ended in one process ends at once there and within a second in another', async () => {
  const user = await createUser(api);
  await callOften(user.token);
  assert.equal((await api.send('GET /api/tickets/last', { token: user.token })).statusCode, 200);
  const body = { currentPassword: user.password, newPassword: 'quite another one' };
  const changed = await api.send('POST /api/auth/change-password', { token: user.token, body });
  assert.equal(changed.statusCode, 200);
  const changedAt = performance.now();
  assert.equal((await api.send('GET /api/tickets/last', { token: user.token })).statusCode, 401);
  await callUntilRefused(user.token, changedAt);
  await callOften(changed.json<{ token: string }>().token);
});

test('a session that ended ends within a second, also where no notice tells of it', async () => {
  const user = await createUser(api);
  await api.context.db.query('ALTER TABLE users DISABLE TRIGGER tell_changed');
  await callOften(user.token);
  await api.context.db.query('UPDATE users SET sessions_valid_from = 9999999999 WHERE id = $1', [user.id]);
  await callUntilRefused(user.token, performance.now());
  await api.context.db.query('ALTER TABLE users ENABLE TRIGGER tell_changed');
});

test('callers known in one process are each read once, until one of them changes', async () => {
  const callers = new KnownCallers(api.context.db, api.app.notices);
  const [first, second] = [await createUser(api), await createUser(api)];
  const ids = [Number(first.id), Number(second.id)];
  const reading = ids.map((id) => callers.find(id));
  assert.deepEqual(
    ids.map((id) => reading.indexOf(callers.find(id))),
    [0, 1],
  );
  callers.forget(Number(first.id));
  const again = ids.map((id) => callers.find(id));
  assert.deepEqual(
    again.map((promise) => reading.indexOf(promise)),
    [-1, 1],
  );
  for (const found of await Promise.all([...reading, ...again])) assert.ok(found);
});
