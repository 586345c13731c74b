import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runProgram, startRegister } from '#tests/support/inventories/run-program.ts';

let folder: string;
let register: Awaited<ReturnType<typeof startRegister>>;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coverdesk-malformed-csv-'));
  register = await startRegister(['C10000001', 'C10000002']);
});
after(async () => {
  await register.close();
  await rm(folder, { recursive: true });
});

/** Pushes coverage into a CSV file. */
async function push(content: string) {
  await writeFile(join(folder, 'in.csv'), content);
  return runProgram(folder, ['push', 'csv', 'in.csv', '--out', 'out.csv'], { COVERDESK_URL: register.url });
}
const written = async () => (await readFile(join(folder, 'out.csv'), 'utf8')).slice(1).split('\r\n');
const added = 'Warranty end,Warranty months,Warranty status';
const covered = '2027-01-01,24,covered';

test('csv: a quote that is not closed is refused with its row, empty rows counted', async () => {
  const { code, stderr } = await push('Serial,Note\n\nC10000001,"broken\nC10000002,x\n');
  assert.equal(code, 1);
  assert.equal(stderr, 'coverdesk: row 3 has a quote that is not closed\n');
  const surplus = await push('Serial,Note\n\nC10000001,x,\nC10000002,x,y\n');
  assert.match(surplus.stderr, /row 4 has more cells than the head row/);
  assert.ok(!(await readdir(folder)).includes('out.csv'));
});

test('csv: text behind a quoted cell is refused with its row, quotes within a cell are kept', async () => {
  for (const cell of ['"a"b', '"a""b"c', '"" "', '"a" ']) {
    const { code, stderr } = await push(`Note,Serial\nx,C10000002\n${cell},C10000001\n`);
    assert.equal(code, 1, cell);
    assert.equal(stderr, 'coverdesk: row 3 has text behind a quote that closes its cell\n');
  }
  assert.ok(!(await readdir(folder)).includes('out.csv'));
  const { code, stderr } = await push('Note,Serial\n5" disk,C10000001\n');
  assert.equal(code, 0, stderr);
  assert.deepEqual(await written(), [`Note,Serial,${added}`, `"5"" disk",C10000001,${covered}`, '']);
});

test('csv: the line in which Excel names the separator is no row, and is written again', async () => {
  const { code, stderr } = await push('\ufeffsep=;\r\nSerial;Price, net;Note\r\nC10000001;1,5;x\r\n');
  assert.equal(code, 0, stderr);
  assert.deepEqual(await written(), [
    'sep=;',
    `Serial;Price, net;Note;${added.replaceAll(',', ';')}`,
    `C10000001;1,5;x;${covered.replaceAll(',', ';')}`,
    '',
  ]);
  const broken = await push('sep=|\nSerial|Note\nC10000001|"x\n');
  assert.equal(broken.stderr, 'coverdesk: row 3 has a quote that is not closed\n');
});

test('csv: a carriage return alone ends a row, also beside other ends', async () => {
  const { code, stderr } = await push('Serial,Note\rC10000001,x\r\r\nC10000002,"y\rz"\n');
  assert.equal(code, 0, stderr);
  assert.deepEqual(await written(), [
    `Serial,Note,${added}`,
    `C10000001,x,${covered}`,
    `C10000002,"y\rz",${covered}`,
    '',
  ]);
});

test('csv: separators within quotes do not count', async () => {
  const { code, stderr } = await push('Serial,"a;b;\nc"\nC10000001,"x;y"\n');
  assert.equal(code, 0, stderr);
  assert.deepEqual(await written(), [`Serial,"a;b;\nc",${added}`, `C10000001,x;y,${covered}`, '']);
});
