import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createUploadPath, removeStaleUploads } from './upload-files.ts';

const emptyFolder = async (t: TestContext) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'coverdesk-uploads-'));
  t.after(() => rm(dataDir, { recursive: true }));
  return dataDir;
};
const { pid: dead } = spawnSync(process.execPath, ['--version']);

test('files of ended processes are removed, and those of running processes stay', async (t) => {
  const dataDir = await emptyFolder(t);
  await removeStaleUploads(dataDir);
  const own = await createUploadPath(dataDir);
  const folder = dirname(own);
  const nameFor = (pid: number) => basename(own).replace(`${process.pid}`, `${pid}`);
  const living = nameFor(process.ppid);
  for (const name of [basename(own), nameFor(dead), living]) await writeFile(join(folder, name), '');
  await removeStaleUploads(dataDir);
  assert.deepEqual(await readdir(folder), [living]);
});

test('a file of another machine or container that shares the folder is removed after a day', async (t) => {
  const dataDir = await emptyFolder(t);
  const own = await createUploadPath(dataDir);
  const folder = dirname(own);
  const [running, left, strange] = [`${dead}-1a-other`, `${process.ppid}-2b-other`, 'strange'];
  for (const name of [running, left, strange]) await writeFile(join(folder, name), '');
  const twoDaysAgo = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000);
  for (const name of [left, strange]) await utimes(join(folder, name), twoDaysAgo, twoDaysAgo);
  await removeStaleUploads(dataDir);
  assert.deepEqual(await readdir(folder), [running]);
});
