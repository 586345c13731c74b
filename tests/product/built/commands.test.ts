import assert from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { type ProductProcess, startProcess } from '#tests/support/product/product-process.ts';
import { smokeTest } from '#tests/support/product/smoke.ts';

let folder: string;
let demo: ProductProcess;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coverdesk-commands-'));
});
after(async () => {
  if (demo?.process.exitCode === null) await demo.stop();
  await rm(folder, { recursive: true });
});

/** Runs a command of the demo's folder to its end. @returns what it printed */
async function run(command: string): Promise<string> {
  const one = startProcess(command, { DATA_DIR: folder, LOG_LEVEL: 'warn' });
  await one.ended;
  return [...one.lines, ...one.log].join('\n');
}

smokeTest(['main.ts demo.ts', 'main.ts product.ts', 'product.ts prepare.ts'], 'the demo starts', async () => {
  demo = startProcess('demo', { DATA_DIR: folder });
  assert.match(await demo.ready(), /^http:/);
});

smokeTest('main.ts admin-commands.ts', 'the doctor examines it', async () => {
  assert.match(await run('admin doctor'), /ok +migrations/);
});

smokeTest('main.ts backup-commands.ts', 'a backup is written', async () => {
  const file = join(folder, 'backup.tar.gz');
  assert.match(await run(`backup ${file}`), /^Backup complete/);
  assert.ok((await stat(file)).size > 0);
});

smokeTest('main.ts check-sources.ts', 'the sources are checked', async () => {
  assert.match(await run('sources-check'), /sandbox/i);
});

smokeTest('main.ts rotate-secrets.ts', 'secrets are sealed with another key', async () => {
  await demo.stop();
  assert.match(await run('rotate-secrets'), /stored secrets were sealed by the new key/);
});
