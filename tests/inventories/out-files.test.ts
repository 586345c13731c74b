import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, test } from 'node:test';
import { runProgram } from '#tests/support/inventories/run-program.ts';
import { startStandIn } from '#tests/support/inventories/stand-in.ts';

let folder: string;
let server: Awaited<ReturnType<typeof startStandIn>>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coverdesk-out-files-'));
  server = await startStandIn(() => ({ body: 'whole' }));
  await writeFile(join(folder, 'in.csv'), 'Serial\nC10000001\n');
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const commands = [
  { name: 'a download', args: ['devices', '--out', 'out'], starts: '"whole"' },
  { name: 'a sheet', args: ['pull', 'csv', 'in.csv', '--out', 'out'], starts: 'PK' },
];
const run = (args: string[]) => runProgram(folder, args, { COVERDESK_URL: server.url });

for (const { name, args, starts } of commands) {
  test(`--out that is a pipe gets ${name}, and stays a pipe`, { timeout: 180_000 }, async () => {
    const pipe = join(folder, 'out');
    execFileSync('mkfifo', [pipe]);
    const [{ code, stderr }, got] = await Promise.all([run(args), readPipe(pipe)]);
    assert.equal(code, 0, stderr);
    assert.ok(got.startsWith(starts), got);
    assert.ok((await lstat(pipe)).isFIFO());
    assert.deepEqual((await readdir(folder)).toSorted(), ['in.csv', 'out']);
  });

  test(`--out that is a link stays one, and ${name} is written to its target`, async () => {
    await writeFile(join(folder, 'target'), 'old');
    await symlink('target', join(folder, 'out'));
    for (const kind of ['file', 'none']) {
      const { code, stderr } = await run(args);
      assert.equal(code, 0, `${kind}: ${stderr}`);
      assert.ok((await lstat(join(folder, 'out'))).isSymbolicLink(), kind);
      assert.ok((await readFile(join(folder, 'target'), 'latin1')).startsWith(starts), kind);
      assert.deepEqual((await readdir(folder)).toSorted(), ['in.csv', 'out', 'target']);
      await rm(join(folder, 'target'));
    }
  });
}

/** Reads a pipe to its end, for two minutes at the most: a program that replaces it never opens it. */
const readPipe = (pipe: string) =>
  text(spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'], timeout: 120_000 }).stdout);
