import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseConfig } from '#server/runtime/config.ts';
import { createLog } from '#server/runtime/log.ts';
import { createTestDatabase } from '#tests/support/database/database.ts';
import { waitFor } from '#tests/support/wait.ts';
import type { ProductOptions } from './command-options.ts';
import { environmentOf, startProduct, startWorker } from './product.ts';
import { Stop, StopRequested } from './stop.ts';

for (const start of [startProduct, startWorker]) {
  test(`${start.name}: a request to stop while the database opens interrupts the start`, async (context) => {
    const database = await createTestDatabase();
    const folder = await mkdtemp(join(tmpdir(), 'coverdesk-start-'));
    context.after(async () => {
      await options.stop.closeAll(() => undefined);
      await database.close();
      await rm(folder, { recursive: true });
    });
    const printed: string[] = [];
    const options: ProductOptions = {
      config: parseConfig({
        DATA_DIR: folder,
        DATABASE_URL: database.url,
        PORT: '0',
        ADMIN_PASSWORD: 'a long enough one',
        JWT_SECRET: 'a secret of the tests, of no use elsewhere',
      }),
      log: createLog('test', 'silent'),
      stop: new Stop(),
      print: (line) => printed.push(line),
    };
    const holder = await database.pool.connect();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE schema_migrations');
    const refused = assert.rejects(start(options), StopRequested);
    await waitFor('the start to come to its migrations', async () => {
      const { rows } = await database.pool.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rows.length > 0;
    });
    options.stop.request('gently');
    await holder.query('ROLLBACK');
    holder.release();
    await refused;
    assert.ok(!existsSync(join(folder, 'secrets-key')), 'the step after the migrations did not run');
    assert.deepEqual(printed, []);
  });
}

test('a worker gets no secret that only the API needs, and takes the rest as its configuration', () => {
  const secret = 'a canary of the tests with 32 bytes or more';
  const secrets = {
    JWT_SECRET: secret,
    BACKUP_KEY: secret,
    METRICS_TOKEN: secret,
    ADMIN_PASSWORD: secret,
    OIDC_CLIENT_SECRET: secret,
    SMTP_URL: `smtp://:${encodeURIComponent(secret)}@mail.example.com`,
    DATABASE_READ_URL: `postgres://c:${encodeURIComponent(secret)}@replica/c`,
  };
  const others = {
    OIDC_ISSUER: 'https://id.example',
    OIDC_CLIENT_ID: 'coverdesk',
    MAIL_FROM: 'Coverdesk <c@example.com>',
    DATABASE_URL: 'postgres://c:p@db/c',
  };
  const env = environmentOf('worker', { ...others, ...secrets });
  assert.deepEqual(
    Object.keys(env).filter((name) => name in secrets),
    [],
  );
  assert.equal(parseConfig(env).DATABASE_URL, others.DATABASE_URL);
});
