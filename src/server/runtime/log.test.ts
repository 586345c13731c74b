import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';

const log = JSON.stringify(new URL('./log.ts', import.meta.url).href);
const count = 500;

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
