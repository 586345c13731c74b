import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { waitFor } from '#tests/support/wait.ts';

const log = JSON.stringify(new URL('./log.ts', import.meta.url).href);

/** A process that logs, and then does something. */
function run(code: string): ChildProcess {
  const module = `import { createLog } from ${log}; const log = createLog('test', 'info'); ${code}`;
  return spawn(process.execPath, ['--input-type=module', '--eval', module], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

const written = async (code: string) => {
  const { stderr } = run(code);
  return text(stderr ?? assert.fail());
};

const count = 500;
const lines = `for (let i = 0; i < ${count}; i++) log.info({ i, text: 'é'.repeat(40) }, 'answered');`;
const numbers = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{"level":30'))
    .map((line) => JSON.parse(line).i);
const all = Array.from({ length: count }, (_, i) => i);

test('a log is whole however its process ends', async () => {
  for (const end of [
    '',
    'process.exit(1)',
    'throw new Error("unforeseen")',
    'Promise.reject(new Error("unheard"))',
  ])
    assert.deepEqual(numbers(await written(`${lines} ${end}`)), all, end);
});

test('a log has a warning at once, behind the lines before it', async () => {
  // Killed, a process has no moment left to write in.
  const end = "process.kill(process.pid, 'SIGKILL')";
  const told = (await written(`${lines} log.warn('beware'); ${end}`)).trim().split('\n');
  assert.equal(told.length, count + 1);
  assert.equal(JSON.parse(told.at(-1) ?? '').msg, 'beware');
});

test('a log has its lines soon while its process goes on', async () => {
  const child = run(`${lines} setInterval(() => {}, 60_000);`);
  let told = '';
  child.stderr?.on('data', (chunk) => {
    told += chunk;
  });
  await waitFor('all lines', async () => numbers(told).length === count);
  child.kill('SIGKILL');
});
