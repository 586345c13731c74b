import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createEmptyDatabase } from '#tests/support/database/database.ts';
import { callApi, makeStandardUser, signInAs, uploadWorkbook } from '#tests/support/product/client.ts';
import { type ProductProcess, startProcess } from '#tests/support/product/product-process.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { waitFor } from '#tests/support/wait.ts';

type Progress = { status: string; done: number; failed: number; remaining: number; total: number };

const admin = { ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'a long enough one' };
const count = 6000;
/** The sandbox answers after 50 ms on average, so the rows take 37 s on any machine: a backup starts while some are pending. */
const slow = { WORKERS: '1', WORKER_CONCURRENCY: '8' };
let scratch: string;
let served: Awaited<ReturnType<typeof createEmptyDatabase>>;
const running: ProductProcess[] = [];

before(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'coverdesk-moved-'));
  served = await createEmptyDatabase();
});
after(async () => {
  for (const one of running) if (one.process.exitCode === null) await one.stop();
  await served.close();
  await rm(scratch, { recursive: true });
});

function start(env: Record<string, string>): ProductProcess {
  const one = startProcess('start', { LOG_LEVEL: 'warn', ...admin, ...env });
  running.push(one);
  return one;
}

async function command(words: string[], env: Record<string, string>) {
  const one = startProcess(words.join(' '), env);
  running.push(one);
  return { code: await one.ended, lines: one.lines, log: one.log.join('\n') };
}

test('a product moves to a server and back while rows are pending, and the restored one finishes them', async () => {
  const first = { DATA_DIR: join(scratch, 'first') };
  const product = start({ ...first, ...slow });
  const url = await product.ready();
  const user = await makeStandardUser(await signInAs(url, admin.ADMIN_EMAIL, admin.ADMIN_PASSWORD), 'Acme');
  const { ticket } = await uploadWorkbook(user, new Uint8Array(makeWorkbook(makeImeis(count))));
  const read = (at: string) =>
    callApi<Progress>(
      { url: at, token: user.token },
      'GET',
      `/tickets/progress?ticket_number=${ticket.ticket_number}`,
    );
  await waitFor('some results', async () => (await read(url)).done > 100);

  const files = [join(scratch, 'one'), join(scratch, 'two')] as const;
  const key = { BACKUP_KEY: 'a key of the tests with 32 bytes or more' };
  const made = await command(['backup', files[0], '--encrypt'], { ...first, ...key });
  assert.deepEqual([made.code, made.log], [0, '']);
  assert.match(made.lines[0] ?? '', /^Backup complete: \d+ rows of \d+ tables, \d+ bytes/);
  const refused = await command(['restore', files[0]], { ...first, ...key });
  assert.deepEqual([refused.code, /has tickets, devices or invoices/.test(refused.log)], [1, true]);
  const examined = await command(['admin', 'doctor'], { ...first, MIN_FREE_MB: '0' });
  assert.deepEqual([examined.code, examined.log], [0, ''], examined.lines.join('\n'));
  await product.stop();

  const server = { DATABASE_URL: served.url, DATA_DIR: join(scratch, 'server') };
  const moved = await command(['restore', files[0]], { ...server, ...key });
  assert.deepEqual([moved.code, moved.log], [0, '']);
  const { rows } = await served.pool.query(
    `SELECT total, done, failed,
       (SELECT count(*)::integer FROM serials s WHERE s.ticket_id = t.id) AS rows,
       (SELECT count(*)::integer FROM serials s WHERE s.ticket_id = t.id AND state = 'done') AS done_rows,
       (SELECT count(*)::integer FROM serials s WHERE s.ticket_id = t.id AND state = 'failed') AS failed_rows
     FROM tickets t`,
  );
  assert.equal(rows.length, 1);
  const [{ total, done, failed, rows: all, done_rows, failed_rows }] = rows;
  assert.deepEqual([total, done, failed], [all, done_rows, failed_rows]);
  assert.ok(done + failed < count, 'the backup was taken while rows were pending');
  assert.equal((await command(['backup', files[1]], server)).code, 0);

  const back = { DATA_DIR: join(scratch, 'back') };
  const open = await command(['restore', files[1]], { ...back, ...key });
  assert.deepEqual([open.code, /is not encrypted/.test(open.log)], [1, true]);
  assert.equal((await command(['restore', files[1], '--unencrypted'], { ...back, ...key })).code, 0);
  await mkdir(back.DATA_DIR, { recursive: true });
  for (const name of ['secrets-key', 'jwt-secret'])
    await copyFile(join(first.DATA_DIR, name), join(back.DATA_DIR, name));
  const restored = start(back);
  const again = await restored.ready();
  const end = await waitFor('the restored product to finish', async () => {
    const progress = await read(again);
    return progress.status === 'Completed' && progress;
  });
  assert.deepEqual([end.done + end.failed, end.remaining], [count, 0]);
});
