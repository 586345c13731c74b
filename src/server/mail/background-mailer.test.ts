import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Fastify from 'fastify';
import { pino } from 'pino';
import { parseConfig } from '#server/runtime/config.ts';
import { waitFor } from '#tests/support/wait.ts';
import { openBackgroundMailer } from './background-mailer.ts';

const mail = { to: { name: '', address: 'ayu@example.test' }, subject: 'x', text: 'x', html: '<p>x</p>' };

/** Opens a mailer whose outbox is a file, so that no mail can be sent. */
async function prepare(t: TestContext, pausesMs: number[]) {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-mailer-'));
  t.after(() => rm(folder, { recursive: true }));
  const outbox = join(folder, 'outbox');
  await writeFile(outbox, '');
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line).msg) });
  const app = Fastify();
  const mailer = openBackgroundMailer(app, { config: parseConfig({ DATA_DIR: folder }), log }, pausesMs);
  return { app, mailer, outbox, lines };
}

test('a mail that is not stored is tried again until the mail server takes it', async (t) => {
  const { app, mailer, outbox, lines } = await prepare(t, [50, 50, 10_000]);
  mailer.run('an invitation', (send) => send(mail));
  await waitFor('two failures', async () => lines.length >= 2);
  await rm(outbox);
  await waitFor('the mail', () =>
    readdir(outbox).then(
      (files) => files.some((file) => file.endsWith('.eml')),
      () => false,
    ),
  );
  await app.close();
  assert.equal(lines.at(-1), 'an invitation could not be mailed and is tried again');
});

test('a mail is given up after the last try, and at the end of the process', async (t) => {
  const { app, mailer, lines } = await prepare(t, [10]);
  mailer.run('an invitation', (send) => send(mail));
  await waitFor('the end', async () => lines.length >= 2);
  assert.deepEqual(lines, [
    'an invitation could not be mailed and is tried again',
    'an invitation could not be mailed',
  ]);
  await app.close();

  const patient = await prepare(t, [60_000]);
  patient.mailer.run('an invitation', (send) => send(mail));
  await waitFor('the first failure', async () => patient.lines.length > 0);
  const before = performance.now();
  await patient.app.close();
  assert.ok(performance.now() - before < 5000);
  assert.equal(patient.lines.at(-1), 'an invitation could not be mailed');
});
