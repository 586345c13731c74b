import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { StartError } from '#server/runtime/start-error.ts';
import { readOrCreateSecret } from './secret.ts';

test('concurrent processes create one secret, and only its owner can read it', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-secret-'));
  context.after(() => rm(folder, { recursive: true }));
  const [first, second] = await Promise.all([
    readOrCreateSecret(folder, 'key'),
    readOrCreateSecret(folder, 'key'),
  ]);
  assert.equal(first, second);
  assert.ok(first.length >= 48);
  assert.equal(await readOrCreateSecret(folder, 'key'), first);
  assert.equal((await stat(join(folder, 'key'))).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(folder), ['key']);
});

test('a secret that an editor wrote back is the same, and one that is cut off is refused', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-secret-'));
  context.after(() => rm(folder, { recursive: true }));
  const secret = await readOrCreateSecret(folder, 'key');
  const file = join(folder, 'key');
  await writeFile(file, `${secret}\r\n`);
  assert.equal(await readOrCreateSecret(folder, 'key'), secret);
  for (const part of ['', '\n', secret.slice(0, 31)]) {
    await writeFile(file, part);
    const refused = readOrCreateSecret(folder, 'key');
    await assert.rejects(refused, new StartError(`${file} has less than 32 bytes: put the whole file back`));
  }
});
