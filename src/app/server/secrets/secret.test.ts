import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readOrMakeSecret } from './secret.ts';

test('concurrent processes create one secret, and only its owner can read it', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-secret-'));
  context.after(() => rm(folder, { recursive: true }));
  const [first, second] = await Promise.all([
    readOrMakeSecret(folder, 'key'),
    readOrMakeSecret(folder, 'key'),
  ]);
  assert.equal(first, second);
  assert.ok(first.length >= 48);
  assert.equal(await readOrMakeSecret(folder, 'key'), first);
  assert.equal((await stat(join(folder, 'key'))).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(folder), ['key']);
});
