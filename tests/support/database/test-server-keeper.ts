// A process that runs the database server for test files started by hand, until it is no longer used.
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '#server/postgres/launcher.ts';
import { createLog } from '#server/runtime/log.ts';
import { forgetfulSettings } from './test-server.ts';

const idleSeconds = 60; // longer than a process takes to start on a crowded machine
let told = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    told = true;
  });
}

const home = process.argv[2];
if (!home) throw new Error('usage: test-server-keeper.ts FOLDER');
// Fails if another keeper was faster.
const server = await startEmbeddedPostgres({
  dataDir: home,
  log: createLog('tests', 'silent'),
  settings: forgetfulSettings,
});
// Test files create databases, which the product's role may not do.
const superuser = new pg.Client({
  host: '127.0.0.1',
  port: Number(new URL(server.url).port),
  user: 'postgres',
  database: 'postgres',
  password: await readFile(join(home, 'postgres', 'superuser-password'), 'utf8'),
});
await superuser.connect();
await superuser.query('ALTER ROLE coverdesk CREATEDB');
await superuser.end();
await writeFile(join(home, 'url.new'), server.url, { mode: 0o600 });
await rename(join(home, 'url.new'), join(home, 'url'));

const client = new pg.Client({ connectionString: server.url });
client.on('error', () => process.exit(1));
await client.connect();
for (let idle = 0; idle < idleSeconds * 5 && !told; idle++) {
  await delay(200);
  const { rows } = await client.query<{ users: number }>(
    'SELECT count(*)::integer AS users FROM pg_stat_activity WHERE usename = current_user AND pid <> pg_backend_pid()',
  );
  if (rows[0]?.users) idle = 0;
}
await rm(join(home, 'url'));
await client.end();
await server.stop();
const leaving = `${home}.old-${process.pid}`;
await rename(home, leaving);
await rm(leaving, { recursive: true, force: true });
