// Runs the examples of docs/programs.md as they stand, in each language that this machine has.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser } from '#tests/support/api/factories.ts';
import { prepareWorkers, type WorkerProcesses } from '#tests/support/lookups/worker-processes.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';

let api: TestApi;
let workers: WorkerProcesses;
let env: Record<string, string>;
let page: string;
const folders: string[] = [];
const inTenDays = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
before(async () => {
  page = await readFile(new URL('../../docs/programs.md', import.meta.url), 'utf8');
  api = await createTestApi();
  const COVERDESK_URL = await api.app.listen({ host: '127.0.0.1', port: 0 });
  workers = await prepareWorkers(api.context.databaseUrl, [{ name: 'sandbox', kind: 'sandbox' }]);
  await workers.start();
  const user = await createUser(api);
  const body = { name: 'examples', scope: 'write', expires_at: null };
  const { token } = (await api.send('POST /api/tokens', { token: user.token, body })).json();
  env = { COVERDESK_URL, COVERDESK_TOKEN: token };
  const owned = { companyCode: user.companyCode, createdBy: user.id, status: 'Completed' as const };
  const rows = [{ serial: 'ENDING00001', state: 'done' as const, end: inTenDays }];
  const { number } = await createTicketWithRows(api, { ...owned, rows });
  // A deletion registers the results first.
  await api.send(`DELETE /api/imei/${number}`, { token: user.token });
});
after(async () => {
  await workers.close();
  await api.close();
  for (const folder of folders) await rm(folder, { recursive: true });
});

/** Returns whether a program is installed. The `date` of macOS is another one, and has no version. */
const hasProgram = (name: string) => spawnSync(name, ['--version']).status === 0;

/** Runs the example under a heading of the page in a folder of its own, with a sheet beside it. */
async function runExample(info: string, fileName: string, command: string[]) {
  const [, code] = new RegExp(`\`\`\`${info}\n(.*?)\n\`\`\``, 's').exec(page) ?? [];
  assert.ok(code, `docs/programs.md has no example in ${info}`);
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-example-'));
  folders.push(folder);
  await writeFile(join(folder, 'devices.xlsx'), makeWorkbook(makeImeis(3)));
  await writeFile(join(folder, fileName), code);
  const [program = '', ...args] = command;
  const child = spawn(program, [...args, fileName], { cwd: folder, env: { ...process.env, ...env } });
  child.stdin.end();
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  assert.equal(exitCode, 0, stderr);
  const read = (name: string) => readFile(join(folder, name));
  assert.equal((await read('report.xlsx')).toString('latin1', 0, 2), 'PK');
  return { stdout, read };
}

/** The examples, the programs that they need, the rows that they print, and the list of devices that one writes. */
const examples = [
  {
    info: 'sh curl',
    file: 'example.sh',
    command: ['bash'],
    needs: ['curl', 'jq', 'date'],
    rows: 3,
    list: 'ending.tsv',
  },
  { info: 'powershell', file: 'example.ps1', command: ['pwsh', '-NoProfile', '-File'], needs: [], rows: 3 },
  { info: 'python', file: 'example.py', command: ['python3'], needs: [], rows: 2 },
];

for (const { info, file, command, needs, rows, list } of examples) {
  test(`the example in ${info} uploads, follows and downloads${list ? ', and lists devices that end soon' : ''}`, async (t) => {
    const missing = [command[0] ?? '', ...needs].filter((name) => !hasProgram(name));
    if (missing.length > 0) return t.skip(`not installed: ${missing}`);
    const { stdout, read } = await runExample(info, file, command);
    const states = stdout.trim().split(/\r?\n/);
    assert.equal(states.length, rows, stdout);
    for (const line of states) assert.match(line, /^\d{15}\t(done|failed)\t/);
    if (list) assert.equal((await read(list)).toString().trim(), `ENDING00001\tiPhone 15\t${inTenDays}`);
  });
}

test('the example of the command line downloads it, checks a file and lists devices and tickets', async (t) => {
  const missing = ['curl', 'date'].filter((name) => !hasProgram(name));
  if (missing.length > 0) return t.skip(`not installed: ${missing}`);
  const { stdout, read } = await runExample('sh cli', 'example.sh', ['bash', '-e']);
  assert.match(stdout, /\d+\tCompleted\t3\t/);
  assert.match(stdout, /"status": "Completed"/);
  assert.equal((await read('ending.xlsx')).toString('latin1', 0, 2), 'PK');
});
