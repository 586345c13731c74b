import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { makeUploadPath, removeStaleUploads } from './upload-files.ts';

test('files of ended processes are removed, and those of running processes stay', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'coverdesk-uploads-'));
  t.after(() => rm(dataDir, { recursive: true }));
  await removeStaleUploads(dataDir);
  const own = await makeUploadPath(dataDir);
  const folder = dirname(own);
  const { pid: dead } = spawnSync(process.execPath, ['--version']);
  const living = `${process.ppid}-file`;
  for (const name of [basename(own), `${dead}-file`, living, 'strange'])
    await writeFile(join(folder, name), '');
  await removeStaleUploads(dataDir);
  assert.deepEqual(await readdir(folder), [living]);
});
