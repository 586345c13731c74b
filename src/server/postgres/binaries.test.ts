import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { copyBinaries } from './binaries.ts';

test('programs are copied once, with subfolders and links', async (t) => {
  const scratch = await mkdtemp(join(tmpdir(), 'coverdesk-binaries-'));
  t.after(() => rm(scratch, { recursive: true }));
  const native = join(scratch, 'native');
  await mkdir(join(native, 'bin'), { recursive: true });
  await writeFile(join(native, 'bin', 'postgres'), 'the first');
  await symlink('postgres', join(native, 'bin', 'postmaster'));
  const cache = join(scratch, 'data', 'postgres');

  const copied = await copyBinaries({ native, version: '18' }, cache);
  assert.deepEqual(copied, { native: join(cache, 'binaries-18'), version: '18' });
  assert.equal(await readFile(join(copied.native, 'bin', 'postgres'), 'utf8'), 'the first');
  assert.equal(await readlink(join(copied.native, 'bin', 'postmaster')), 'postgres');

  // If another process was first, its copy stays and this one is removed.
  await writeFile(join(native, 'bin', 'postgres'), 'the second');
  assert.deepEqual(await copyBinaries({ native, version: '18' }, cache), copied);
  assert.equal(await readFile(join(copied.native, 'bin', 'postgres'), 'utf8'), 'the first');
  assert.deepEqual(await readdir(cache), ['binaries-18']);
});
