import assert from 'node:assert/strict';
import { type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { productVersion } from '#server/runtime/version.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { prepareWorkers, type WorkerProcesses } from '#tests/support/lookups/worker-processes.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';

let api: TestApi;
let workers: WorkerProcesses;
let user: TestUser;
let admin: TestUser;
let token: string;
let folder: string;
let url: string;
let program: string;
before(async () => {
  api = await createTestApi();
  url = await api.app.listen({ host: '127.0.0.1', port: 0 });
  workers = await prepareWorkers(api.context.databaseUrl, [{ name: 'sandbox', kind: 'sandbox' }]);
  await workers.start();
  folder = await mkdtemp(join(tmpdir(), 'coverdesk-command-line-'));
  [user, admin] = [await createUser(api), await createUser(api, { superadmin: true })];
  const body = { name: 'nightly check', scope: 'write', expires_at: null };
  token = (await api.send('POST /api/tokens', { token: user.token, body })).json().token;
  program = join(folder, 'coverdesk.mjs');
  await writeFile(program, (await api.send('GET /cli/coverdesk.mjs')).body);
  await writeFile(join(folder, 'devices.xlsx'), sheet);
});
after(async () => {
  await workers.close();
  await api.close();
  await rm(folder, { recursive: true });
});

const imeis = makeImeis(4);
const sheet = makeWorkbook([...imeis, 'not a serial']);

const start = (args: string[], env: Record<string, string> = {}) =>
  spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...process.env, COVERDESK_URL: url, COVERDESK_TOKEN: token, ...env },
  });

/** Runs the program that the server answered. */
async function run(
  args: string[],
  { input, env = {} }: { input?: Buffer; env?: Record<string, string> } = {},
) {
  const child = start(args, env);
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { stdout, stderr, code };
}

const signature = (file: Buffer | string) => file.slice(0, 2).toString('latin1');

test('the server answers the command line of its version to everybody, and 304 while it is the same', async () => {
  for (const address of ['/cli/coverdesk.mjs', '/api/cli/coverdesk.mjs']) {
    const { statusCode, headers, body } = await api.send(`GET ${address}`);
    assert.equal(statusCode, 200);
    assert.deepEqual(
      [headers['content-type'], headers['cache-control']],
      ['text/javascript; charset=utf-8', 'no-cache'],
    );
    assert.match(body, new RegExp(`const version = '${productVersion}'`));
    const again = await api.send(`GET ${address}`, { headers: { 'if-none-match': String(headers.etag) } });
    assert.deepEqual([again.statusCode, again.body], [304, '']);
  }
  assert.deepEqual(await run(['--version']), { stdout: `${productVersion}\n`, stderr: '', code: 0 });
  assert.match((await run(['check', '--help'])).stdout, /Exit codes: 0 done, 1 failed, 2 wrong usage/);
});

test('check uploads a file, follows its lookups and downloads the report, and a repeated key makes no other ticket', async () => {
  const first = await run(['check', 'devices.xlsx', '--out', 'report.xlsx', '--key', 'night 1', '--json']);
  assert.equal(first.code, 0, first.stderr);
  const { ticket_number, status, total, done, failed } = JSON.parse(first.stdout);
  assert.deepEqual([status, total, done + failed], ['Completed', 5, 5]);
  assert.match(first.stderr, /ticket \d+: 5 rows, 1 invalid, 0 duplicates left out\n/);
  assert.equal(signature(await readFile(join(folder, 'report.xlsx'))), 'PK');
  assert.deepEqual((await readdir(folder)).sort(), ['coverdesk.mjs', 'devices.xlsx', 'report.xlsx']);

  const repeated = [
    '--key',
    'night 1',
    '--out',
    '-',
    '--format',
    'json',
    '--token',
    token,
    '--url',
    `${url}/`,
  ];
  const again = await run([...repeated, 'check', '-'], {
    input: sheet,
    env: { COVERDESK_TOKEN: '', COVERDESK_URL: '' },
  });
  assert.equal(again.code, 0, again.stderr);
  const rows = JSON.parse(again.stdout);
  assert.deepEqual(
    rows.map((row: { serial_number: string }) => row.serial_number),
    [...imeis, 'not a serial'],
  );
  assert.match(again.stderr, new RegExp(`ticket ${ticket_number}: Completed`));
  const tickets = await run(['tickets']);
  assert.deepEqual(tickets.stdout.match(/^\d+\tCompleted\t5\t5\t2/gm), [
    `${ticket_number}\tCompleted\t5\t5\t2`,
  ]);
  assert.match((await run(['tickets', 'show', ticket_number])).stdout, /Completed, 100 %/);
});

test('devices are listed, searched and downloaded with filters', async () => {
  const owned = { companyCode: user.companyCode, createdBy: user.id, status: 'Completed' as const };
  const end = '2031-01-31';
  const rows = ['C10000001', 'C10000002'].map((serial) => ({ serial, state: 'done' as const, end }));
  const { number } = await createTicketWithRows(api, { ...owned, rows });
  // A deletion registers the results first.
  await api.send(`DELETE /api/imei/${number}`, { token: user.token });
  const listed = await run([
    'devices',
    'C10000',
    '--ends-from',
    end,
    '--sort',
    'serial_number',
    '--limit',
    '1',
  ]);
  assert.match(listed.stdout, /^serial_number\t.*\nC10000001\tiPhone 15\t\t2031-01-31\t.*\n$/);
  assert.equal(listed.stderr, 'coverdesk: 1 of 2 devices: --page and --limit show others, --out all\n');
  const json = await run(['devices', '--ends-to', end, '--ends-from', end, '--json']);
  assert.equal(JSON.parse(json.stdout).pagination.totalItems, 2);
  const file = await run(['devices', 'C10000', '--out', 'devices-now.xlsx']);
  assert.deepEqual([file.code, signature(await readFile(join(folder, 'devices-now.xlsx')))], [0, 'PK']);
});

test('a refusal ends with 1 and says why, wrong usage with 2, and neither shows the token', async () => {
  const refused: [string[], RegExp][] = [
    [['check', 'missing.xlsx'], /missing\.xlsx/],
    [['tickets', 'cancel', '999'], /not found/i],
    [['tickets', 'show', '999'], /not found/i],
    [['devices', '--sort', 'nonsense'], /sort/],
    [['devices', '--token', 'cvd_wrong'], /token|sign/i],
    [['devices', '--url', 'http://127.0.0.1:1', '--retry', '0'], /ECONNREFUSED|bad port/],
    [['devices', '--url', `${url}/nowhere`, '--retry', '0'], /not found|404|JSON/i],
  ];
  const wrong = [
    [],
    ['unknown'],
    ['check', 'a.xlsx', 'b.xlsx'],
    ['check', 'devices.xlsx', '--format', 'pdf'],
    ['check', 'devices.xlsx', '--secret', token],
    ['check', 'devices.xlsx', '--key', ''],
    ['check', 'devices.xlsx', '--key', 'malam ☾'],
    ['check', 'devices.xlsx', '--out', ''],
    ['devices', '--out='],
    ['devices', `--tokn=${token}`],
    ['devices', '--url', 'coverdesk.example.com'],
    ['devices', '--url', 'https://me:secret@coverdesk.example.com'],
    ['devices', '--retry', 'long'],
    ['tickets', 'burn', '1'],
  ];
  const results = await Promise.all([
    ...refused.map(async ([args, reason]) => ({ args, reason, code: 1, ran: await run(args) })),
    ...wrong.map(async (args) => ({ args, reason: /--help/, code: 2, ran: await run(args) })),
  ]);
  for (const { args, reason, code, ran } of results) {
    assert.deepEqual([args, ran.code, ran.stdout], [args, code, '']);
    assert.match(ran.stderr, reason);
    assert.doesNotMatch(ran.stderr, new RegExp(`${token}|cvd_wrong|secret@`));
  }
});

test('each command refuses the options that it would ignore, and names them', async () => {
  const commands: [string[], string[]][] = [
    [
      ['check', 'devices.xlsx'],
      ['--out', '--format', '--json', '--key', '--sheet', '--ticket'],
    ],
    [['devices'], ['--out', '--format', '--json', '--ticket', '--company', '--sort']],
    [['tickets'], ['--json', '--company']],
    [['tickets', 'show', '7'], ['--json']],
    [
      ['tickets', 'report', '7'],
      ['--out', '--format', '--json'],
    ],
    [['tickets', 'cancel', '7'], ['--json']],
  ];
  const options = [...new Set(commands.flatMap(([, honoured]) => honoured))];
  for (const [words, honoured] of commands) {
    const name = words[0] === 'tickets' ? words.slice(0, 2).join(' ') : words[0];
    const runs = options.map(async (option) => {
      const args = [...words, option, ...(option === '--json' ? [] : ['excel'])];
      // Without a URL a command ends after its options are read.
      const { stdout, stderr, code } = await run(args, { env: { COVERDESK_URL: '' } });
      assert.deepEqual([args, code, stdout], [args, 2, '']);
      const isRefused = stderr.startsWith(`coverdesk: ${name} takes no option ${option}\n`);
      assert.deepEqual([args, isRefused], [args, !honoured.includes(option)], stderr);
    });
    await Promise.all(runs);
  }
});

test('options that exclude each other, lack a value or have an empty one are refused', async () => {
  const wrong: [string[], string][] = [
    [['devices', '--format', 'json'], '--format needs --out'],
    [['devices', '--format', 'pdf', '--out', 'd.pdf'], '--format is excel or json'],
    [['tickets', 'report', '7', '--format', 'json'], '--format needs --out'],
    [['check', 'devices.xlsx', '--format', 'json'], '--format needs --out'],
    [
      ['devices', '--json', '--out', 'd.json'],
      '--json is for the list: --format json writes the file of --out as JSON',
    ],
    [['devices', '--limit', '5', '--out', 'd.xlsx'], '--limit is for the list: --out writes all devices'],
    [['devices', '--page', '2', '--out', '-'], '--page is for the list: --out writes all devices'],
    [['check', 'devices.xlsx', '--json', '--out', '-'], '--json and --out - cannot share standard output'],
    [['tickets', 'report', '7', '--json', '--out', '-'], '--json and --out - cannot share standard output'],
    [['devices', '--company', ''], '--company has no value'],
    [['devices', '--company='], '--company has no value'],
    [['devices', '--sort'], '--sort has no value'],
    [['devices', '--sort', '--json'], '--sort has no value'],
    [['devices', '--json=yes'], '--json takes no value'],
    [['devices', ''], 'devices takes one search'],
    [['devices', '-h'], 'devices takes no option -h'],
    [['tickets', 'show'], 'tickets show takes the number of a ticket'],
    [['tickets', 'show', '7', '8'], 'tickets show takes the number of a ticket'],
    [['tickets', '7'], 'unknown command of tickets'],
    [['constructor'], 'unknown command'],
  ];
  const runs = wrong.map(async ([args, sentence]) => ({ args, sentence, ...(await run(args)) }));
  for (const { args, sentence, code, stdout, stderr } of await Promise.all(runs)) {
    assert.deepEqual([args, code, stdout], [args, 2, '']);
    assert.equal(stderr, `coverdesk: ${sentence}\ncoverdesk: --help shows how to use it\n`);
  }
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('d.')),
    [],
  );
});

test('--out - writes the file to standard output and nothing else', async () => {
  const file = await run(['devices', '--out', '-', '--format', 'json']);
  assert.deepEqual([file.code, file.stderr, Array.isArray(JSON.parse(file.stdout))], [0, '', true]);
  const listed = await run(['tickets', '--company', 'NOBODY', '--json']);
  assert.deepEqual([listed.code, JSON.parse(listed.stdout).data], [0, []], listed.stderr);
});

test('a reader that closes standard output, such as head, changes nothing of the exit code', async () => {
  for (const args of [['devices'], ['devices', '--out', '-', '--format', 'json']]) {
    const child = start(args);
    child.stdout.destroy();
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    assert.deepEqual([code, stderr], [0, ''], args.join(' '));
  }
});

test('a refusal is told once, with each further detail on its line', async () => {
  await writeFile(join(folder, 'letters.xlsx'), makeWorkbook(['Serial', 'a letter', 'tab\tand more']));
  const none = 'This sheet has no valid serial number in column A. Nothing was imported.';
  const refused: [string[], string[]][] = [
    [['devices', '--limit', '5000'], ['limit must be at most 1000']],
    [
      ['devices', '--limit', '5000', '--page', '0'],
      ['page must be at least 1', '  limit must be at most 1000'],
    ],
    [['tickets', 'show', '999'], ['Ticket not found. It may have been deleted; choose another one.']],
    [
      ['check', 'letters.xlsx'],
      [
        `${none} Put the serial numbers there and upload it again.`,
        '  A2: a letter: Not an IMEI, MEID or serial number',
        '  A3: tab and more: Not an IMEI, MEID or serial number',
      ],
    ],
  ];
  for (const [args, lines] of refused) {
    const { stderr, code } = await run(args);
    assert.deepEqual([args, code], [args, 1]);
    assert.equal(stderr, `coverdesk: ${lines.join('\n')}\n`);
  }
});

test('a file that cannot be read or written ends with 1 and is named', async () => {
  await mkdir(join(folder, 'occupied'));
  const [nowhere, occupied] = [join('no-folder', 'd.xlsx'), 'occupied'];
  const refused: [string[], RegExp][] = [
    [['check', 'missing.xlsx'], /^coverdesk: missing\.xlsx cannot be read: ENOENT: .*\n$/],
    [['check', occupied], /^coverdesk: occupied cannot be read: EISDIR: .*\n$/],
    [['devices', '--out', nowhere], /^coverdesk: no-folder\/d\.xlsx cannot be written: ENOENT: .*\n$/],
    [['devices', '--out', occupied], /^coverdesk: occupied cannot be written: EISDIR: .*\n$/],
  ];
  for (const [args, sentence] of refused) {
    const { stdout, stderr, code } = await run(args);
    assert.deepEqual([args, code, stdout], [args, 1, '']);
    assert.match(stderr, sentence);
  }
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.includes('.part')),
    [],
  );
});

test('a full disk behind standard output ends with 1 and is told', { skip: !existsSync('/dev/full') }, () => {
  const full = openSync('/dev/full', 'w');
  try {
    const stdio: StdioOptions = ['ignore', full, 'pipe'];
    const { status, stderr } = spawnSync(process.execPath, [program, '--help'], { stdio, encoding: 'utf8' });
    assert.equal(status, 1);
    assert.match(stderr, /^coverdesk: standard output cannot be written: ENOSPC: .*\n$/);
  } finally {
    closeSync(full);
  }
});

test('a ticket that is cancelled meanwhile ends with 1', async () => {
  const owned = { companyCode: user.companyCode, createdBy: user.id };
  const { number } = await createTicketWithRows(api, { ...owned, rows: [{}], status: 'Processing' });
  const following = run(['tickets', 'report', number]);
  const cancelled = await run(['tickets', 'cancel', number], { env: { COVERDESK_TOKEN: admin.token } });
  assert.deepEqual([cancelled.code, cancelled.stdout], [0, `ticket ${number} is cancelled\n`]);
  const { code, stderr } = await following;
  assert.equal(code, 1);
  assert.match(stderr, /was cancelled/);
});

test('a cancellation whose answer was lost is told as done, and one of an ended ticket as refused', async () => {
  let status = 'Processing';
  let cancellations = 0;
  const server = createServer((request, response) => {
    const ticket = { _id: '1', ticket_number: '7', status };
    if (request.method === 'GET') return void response.end(JSON.stringify({ ticket }));
    cancellations += 1;
    if (status !== 'Processing') return void response.writeHead(409).end('{"message":"It has ended."}');
    status = 'Cancelled';
    request.socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const env = { COVERDESK_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  try {
    const lost = await run(['tickets', 'cancel', '7'], { env });
    assert.deepEqual([lost.code, lost.stdout], [0, 'ticket 7 is cancelled\n'], lost.stderr);
    assert.equal(cancellations, 2);
    const refused = await run(['tickets', 'cancel', '7'], { env });
    assert.deepEqual([refused.code, refused.stdout], [1, '']);
    assert.match(refused.stderr, /It has ended/);
  } finally {
    server.close();
  }
});

test('calls are repeated through network faults, a busy server and files that break off; redirects are refused', async () => {
  const answers: Record<string, string[]> = {
    '/api/tickets/progress?ticket_number=7': ['reset', '503', 'cut', 'progress'],
    '/api/imei/download?ticket_number=7&format=excel': ['cut', 'file'],
    '/api/devices?limit=100': ['redirect'],
  };
  const server = createServer((request, response) => {
    const next = answers[request.url ?? '']?.shift();
    if (next === 'reset') return void request.socket.destroy();
    if (next === '503') return void response.writeHead(503).end();
    if (next === 'redirect')
      return void response.writeHead(302, { location: 'https://elsewhere.example.com' }).end();
    if (next === 'cut') {
      response.writeHead(200, { 'content-length': '100' }).write('PK');
      return void setTimeout(() => response.destroy(), 50);
    }
    const progress = { ticket_number: '7', status: 'Completed', percent: 100, done: 1, failed: 0, total: 1 };
    response.end(next === 'file' ? 'PK whole' : JSON.stringify(progress));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const flaky = { COVERDESK_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  try {
    const { code, stderr } = await run(['tickets', 'report', '7', '--out', 'flaky.xlsx'], { env: flaky });
    assert.equal(code, 0, stderr);
    assert.equal(await readFile(join(folder, 'flaky.xlsx'), 'utf8'), 'PK whole');
    const redirected = await run(['devices'], { env: flaky });
    assert.equal(redirected.code, 1);
    assert.match(redirected.stderr, /redirects/);
  } finally {
    server.close();
  }
});

test('the token is not sent over http to another machine, unless --insecure is given', async () => {
  for (const address of [
    'http://coverdesk.invalid',
    'http://127.0.0.1.coverdesk.invalid',
    'http://192.0.2.7',
  ]) {
    const refused = await run(['tickets', '--url', address, '--retry', '0']);
    assert.equal(refused.code, 2, address);
    assert.match(refused.stderr, /use https:.*or --insecure/, address);
  }
  const allowed = await run(['tickets', '--url', 'http://coverdesk.invalid', '--retry', '0', '--insecure']);
  assert.equal(allowed.code, 1);
  assert.match(allowed.stderr, /ENOTFOUND|EAI_AGAIN/);
  const port = new URL(url).port;
  for (const address of [`http://localhost:${port}`, `http://127.0.0.1:${port}`])
    assert.equal((await run(['tickets', '--url', address])).code, 0, address);
  const local = await run(['tickets', '--url', 'http://[::1]:1', '--retry', '0']);
  assert.doesNotMatch(local.stderr, /--insecure/);
});
