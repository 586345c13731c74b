import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';

const log = JSON.stringify(new URL('./log.ts', import.meta.url).href);
const count = 500;

/** Starts a module whose standard error is an open file. */
function startWithError(file: number, module: string) {
  const source = `import { createLog } from ${log};
    import { outliveOutput } from ${log.replace('log.ts', 'standard-error.ts')};
    const log = createLog('test', 'info');
    ${module}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['pipe', 'pipe', file],
    timeout: 20_000,
  });
  assert.ok(child.stdin && child.stdout);
  return { stdin: child.stdin, stdout: child.stdout };
}

/** Returns the standard error of a process that logs some lines and then runs `end`. */
function runAndRead(end: string): Promise<string> {
  const module = `import { createLog } from ${log};
    const log = createLog('test', 'info');
    for (let i = 0; i < ${count}; i++) log.info({ i, text: 'é'.repeat(40) }, 'answered');
    ${end}`;
  const { stderr } = spawn(process.execPath, ['--input-type=module', '--eval', module], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return text(stderr);
}

test('no log line is lost when the process ends', async () => {
  for (const end of [
    '',
    'process.exit(1)',
    'throw new Error("unforeseen")',
    'process.kill(process.pid, 9)',
  ]) {
    const lines = (await runAndRead(end)).split('\n').filter((line) => line.startsWith('{"level":30'));
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).i),
      Array.from({ length: count }, (_, i) => i),
      end,
    );
  }
});

test('an error of a file or an address is one line without a stack, any other has one', async () => {
  const lines = await runAndRead(`
    const { StartError } = await import(${log.replace('log.ts', 'start-error.ts')});
    const { readFile } = await import('node:fs/promises');
    for (const err of [
      await readFile('/no/such/file').catch((error) => error),
      new StartError('SOURCES_FILE takes a file'),
      new Error('unforeseen'),
    ]) log.error({ err }, 'failed');`);
  const errors = lines
    .split('\n')
    .filter((line) => line.includes('"failed"'))
    .map((line) => JSON.parse(line).err);
  assert.deepEqual(errors.slice(0, 2), [
    { type: 'Error', message: "ENOENT: no such file or directory, open '/no/such/file'", code: 'ENOENT' },
    { type: 'StartError', message: 'SOURCES_FILE takes a file' },
  ]);
  assert.match(errors[2].stack, /unforeseen\n +at /);
});

test('a log on a full disk ends no process, and neither do warnings of Node and printed lines', {
  skip: process.platform !== 'linux',
}, async (context) => {
  const full = openSync('/dev/full', 'w');
  context.after(() => closeSync(full));
  const module = `
    import { setTimeout as delay } from 'node:timers/promises';
    outliveOutput();
    for (let i = 0; i < 100; i++) log.error({ i }, 'failed');
    for (const text of ['first', 'second']) {
      console.error(text);
      process.emitWarning(text);
      await delay(10);
    }
    console.log('alive');`;
  assert.equal(await text(startWithError(full, module).stdout), 'alive\n');
});

test('a log that nobody reads does not block the process, and continues once it is read', {
  skip: process.platform === 'win32',
}, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'coverdesk-log-'));
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const end = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  context.after(() => {
    closeSync(end);
    rmSync(folder, { recursive: true });
  });
  const { stdin, stdout } = startWithError(
    end,
    `for (let i = 0; i < 5000; i++) log.info({ i }, 'answered');
    console.log('alive');
    process.stdin.once('data', () => log.info('read again'));`,
  );
  const [printed] = await Promise.race([once(stdout, 'data'), once(stdout, 'close')]);
  assert.equal(String(printed), 'alive\n');
  const buffer = Buffer.alloc(1e6);
  readSync(end, buffer);
  stdin.end('continue');
  await once(stdout, 'close');
  assert.match(buffer.toString('utf8', 0, readSync(end, buffer)), /read again/);
});
