import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { peakMegabytes } from './peak-memory.ts';

const megabyte = 1024 * 1024;
const script = `
  import { peakMegabytes } from '#tests/support/peak-memory.ts';
  const held = Buffer.alloc(Number(process.argv[1]), 1);
  console.log(peakMegabytes(), held.length);
`;

function peakOfChild(bytes: number): number {
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script, String(bytes)], {
    cwd: new URL('../../', import.meta.url),
    encoding: 'utf8',
  });
  return Number(output.split(' ')[0]);
}

test('the peak of a process is its own, not that of the one that started it', () => {
  const held = Buffer.alloc(300 * megabyte, 1);
  assert.ok(peakMegabytes() > 300);
  const small = peakOfChild(0);
  assert.ok(small < 200, `${Math.round(small)} MB`);
  assert.ok(peakOfChild(250 * megabyte) > 250);
  assert.equal(held.length, 300 * megabyte);
});
