import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { readCpuSeconds, readOwnMb, readPeakMb, resetPeak, sumTicks } from './process-tree.ts';

const burn = `const end = () => process.cpuUsage().user + process.cpuUsage().system > 400_000; while (!end());`;
const megabyte = 1024 * 1024;

/** Runs a script that writes a line once it is done and then stays. */
async function startScript(script: string) {
  const child = spawn(process.execPath, ['-e', `${script}; console.log('done'); process.stdin.resume()`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return {
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

test('the CPU of a process is that of itself and of its ended children', () => {
  const stat = '7 (a (b) c) S 1 7 7 0 -1 4194560 1 2 3 4 100 20 3000 400 20 0 11 0 5';
  assert.equal(sumTicks(stat), 3520);
  assert.equal(sumTicks(''), 0);
});

test('the CPU of a tree includes threads, running children and ended ones', async () => {
  await using tree = await startScript(`
    const { execFileSync, spawn } = require('node:child_process');
    const burn = ${JSON.stringify(burn)};
    execFileSync(process.execPath, ['-e', burn]);
    new (require('node:worker_threads').Worker)(burn, { eval: true }).on('exit', () => {
      const child = spawn(process.execPath, ['-e', burn + 'console.log(1); process.stdin.resume()']);
      child.stdout.once('data', () => console.log('all'));
    });
    console.log = ((log) => (text) => text === 'all' && log(text))(console.log)`);
  const seconds = await readCpuSeconds([tree.pid]);
  assert.ok(seconds >= 1.1, `${seconds} s of three times 0.4`);
});

test('the peak memory of a tree begins anew', async () => {
  await using child = await startScript(`
    require('node:v8').setFlagsFromString('--expose-gc');
    Buffer.alloc(${200 * megabyte}, 1);
    require('node:vm').runInNewContext('gc')()`);
  const first = await readPeakMb(child.pid);
  assert.ok(first > 200, `${first} MB`);
  assert.equal(await readPeakMb(0), 0);
  await resetPeak(child.pid);
  const second = await readPeakMb(child.pid);
  assert.ok(second > 0 && second < first - 150, `${second} MB after ${first} MB`);
});

test('the own memory of a tree has what its processes allocated, and nothing of files', async () => {
  await using child = await startScript(`globalThis.kept = Buffer.alloc(${200 * megabyte}, 1)`);
  const own = await readOwnMb(child.pid);
  const all = await readPeakMb(child.pid);
  assert.ok(own > 200 && own < all, `${own} of ${all} MB`);
});
