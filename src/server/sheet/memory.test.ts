import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

const mostMegabytes = 300;

/** Reads every public workbook, one after the other, and tells the most memory that the process had. */
const script = `
  import { readdirSync } from 'node:fs';
  import { readSheet } from '#server/sheet/read-sheet.ts';
  const folder = 'tests/cases/sheets/';
  let read = 0;
  for (const file of readdirSync(folder)) {
    await readSheet(folder + file, { columns: 5, maxRows: 1_000_000 }, () => {}).catch(() => {});
    read += 1;
  }
  console.log(JSON.stringify({ read, kilobytes: process.resourceUsage().maxRSS }));
`;

test('no public workbook, hostile or not, takes more memory than allowed', () => {
  const root = new URL('../../../', import.meta.url);
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    encoding: 'utf8',
  });
  const { read, kilobytes } = JSON.parse(output) as { read: number; kilobytes: number };
  assert.equal(read, 75);
  assert.ok(kilobytes < mostMegabytes * 1024, `${Math.round(kilobytes / 1024)} MB`);
});
