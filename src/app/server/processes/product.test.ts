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
import { startProduct, startWorker } from './product.ts';
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
