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
