import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, type TestContext, test } from 'node:test';
import { registerSome } from '#features/devices/server/devices.service.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import {
  createTicketWithRows,
  createUser,
  type TestRow,
  type TestUser,
} from '#tests/support/api/factories.ts';
import { glpiTokens, startGlpi } from '#tests/support/inventories/glpi.ts';
import { jamfClient, startJamf } from '#tests/support/inventories/jamf.ts';
import { snipeItToken, startSnipeIt } from '#tests/support/inventories/snipe-it.ts';

let api: TestApi;
let user: TestUser;
let folder: string;
let program: string;
let env: Record<string, string>;
let ticket: string;
before(async () => {
  api = await createTestApi();
  const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
  folder = await mkdtemp(join(tmpdir(), 'coverdesk-inventories-'));
  program = join(folder, 'coverdesk.mjs');
  await writeFile(program, (await api.send('GET /cli/coverdesk.mjs')).body);
  user = await createUser(api);
  const body = { name: 'inventory', scope: 'read', expires_at: null };
  const { token } = (await api.send('POST /api/tokens', { token: user.token, body })).json();
  env = {
    COVERDESK_URL: url,
    COVERDESK_TOKEN: token,
    SNIPE_IT_TOKEN: snipeItToken,
    GLPI_APP_TOKEN: glpiTokens.app,
    GLPI_USER_TOKEN: glpiTokens.user,
    JAMF_CLIENT_ID: jamfClient.id,
    JAMF_CLIENT_SECRET: jamfClient.secret,
  };
  ticket = await register([
    { serial: 'C10000001', end: '2099-03-13' },
    { serial: 'C10000002', end: '2020-01-31' },
    { serial: 'C10000003', end: null },
    { serial: 'C10000004', end: null, activation: 'unactivated' },
  ]);
});
after(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

/** Registers devices. @returns the number of their ticket */
async function register(devices: TestRow[], owner = user): Promise<string> {
  const rows = devices.map((device) => ({ state: 'done', activation: 'activated', ...device }) as const);
  const owned = { companyCode: owner.companyCode, createdBy: owner.id, status: 'Completed' } as const;
  const { number } = await createTicketWithRows(api, { ...owned, rows });
  await registerSome(api.context.db);
  return number;
}

/** Awaits a stand-in, and closes it at the end of the test. */
async function open<T extends { close(): Promise<void> }>(t: TestContext, starting: Promise<T>): Promise<T> {
  const standIn = await starting;
  t.after(() => standIn.close());
  return standIn;
}

async function run(args: string[], more: Record<string, string> = {}, input = '') {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env, ...more },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => undefined).end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { stdout, stderr, code };
}

/** Returns the cells of the Excel file that was pulled, as the product's own preview reads its column A. */
async function preview(file: string) {
  const content = await readFile(join(folder, file));
  const answer = await api.send('POST /api/data/preview', {
    token: user.token,
    file: { field: 'excel', name: file, content },
  });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
}
const changed = ({ asked }: { asked: { method: string; body: unknown }[] }) =>
  asked.filter(({ method }) => ['PATCH', 'PUT', 'POST'].includes(method)).map(({ body }) => body);

test('snipe-it: all pages are pulled into a sheet, which Coverdesk reads, after the limit of calls has passed', async (t) => {
  const snipe = await open(
    t,
    startSnipeIt([
      { id: 1, serial: 'C10000001', asset_tag: 'A1', holder: 'Rina O&#039;Brien &amp; co' },
      { id: 2, serial: '', asset_tag: 'A2' },
      { id: 3, serial: '353901102345677', asset_tag: 'A3' },
      { id: 4, serial: 'c10000002', asset_tag: 'A4' },
      { id: 5, serial: 'C10000003', asset_tag: 'A5' },
    ]),
  );
  const pulled = await run(['pull', 'snipe-it', '--url', snipe.url, '--out', 'snipe.xlsx']);
  assert.deepEqual([pulled.code, pulled.stdout], [0, ''], pulled.stderr);
  assert.match(
    pulled.stderr,
    /Too Many Attempts\.; trying again\n[\s\S]*4 devices, 1 without a serial left out\n/,
  );
  const { valid_count, invalid_count } = await preview('snipe.xlsx');
  assert.deepEqual([valid_count, invalid_count], [4, 0]);
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.includes('.part')),
    [],
  );
});

test('snipe-it: only what differs is written, a dry run lists it, and a second push changes nothing', async (t) => {
  const custom = () => ({
    'Warranty end': { field: '_snipeit_warranty_end_4', value: '' },
    'Warranty status': { field: '_snipeit_warranty_status_5', value: 'expired' },
  });
  const snipe = await open(
    t,
    startSnipeIt([
      { id: 1, serial: 'c1000 0001', asset_tag: 'A1', purchase_date: '2096-03-14', warranty_months: 12 },
      { id: 2, serial: 'C10000002', asset_tag: 'A2', purchase_date: '2019-01-31', custom: custom() },
      { id: 3, serial: 'C10000003', asset_tag: 'A3', purchase_date: '2019-01-31', custom: custom() },
      { id: 4, serial: 'UNKNOWN1', asset_tag: 'A4' },
      { id: 5, serial: 'C10000004', asset_tag: 'A5' },
    ]),
  );
  const listed = await run(['push', 'snipe-it', '--url', snipe.url, '--dry-run']);
  assert.equal(listed.code, 0, listed.stderr);
  assert.equal(
    listed.stdout,
    'serial\tfield\tbefore\tafter\n' +
      'c1000 0001\twarranty_months\t12\t36\n' +
      'C10000002\twarranty_months\t\t12\n' +
      'C10000002\t_snipeit_warranty_end_4\t\t2020-01-31\n' +
      'C10000003\t_snipeit_warranty_status_5\texpired\tunknown\n',
  );
  assert.match(
    listed.stderr,
    /3 devices to be changed, 1 as they were, 1 not in the register, 0 without a serial\n/,
  );
  assert.deepEqual(changed(snipe), []);
  const pushed = await run(['push', 'snipe-it', '--url', snipe.url]);
  assert.deepEqual([pushed.code, pushed.stdout], [0, listed.stdout], pushed.stderr);
  const expected = [
    { warranty_months: 36 },
    { warranty_months: 12, _snipeit_warranty_end_4: '2020-01-31' },
    { _snipeit_warranty_status_5: 'unknown' },
  ];
  assert.deepEqual(changed(snipe), expected);
  const again = await run(['push', 'snipe-it', '--url', snipe.url, '--json']);
  assert.deepEqual([again.code, JSON.parse(again.stdout)], [0, []]);
  assert.deepEqual(changed(snipe), expected);
});

test('snipe-it: a day as people see it, months that round to none and hidden values are written once or never', async (t) => {
  const number = await register([
    { serial: 'C10000011', end: '2026-04-03' },
    { serial: 'C10000012', end: '2026-04-03' },
  ]);
  const custom = (end: string, status: string) => ({
    'Warranty end': { field: '_snipeit_warranty_end_4', value: end, format: 'DATE' as const },
    'Warranty status': { field: '_snipeit_warranty_status_5', value: status, hidden: true as const },
  });
  const snipe = await open(
    t,
    startSnipeIt([
      {
        id: 1,
        serial: 'C10000011',
        asset_tag: 'A1',
        purchase_date: '2026-04-01',
        custom: custom('', 'unknown'),
      },
      // Read in another format, this is the wanted day.
      { id: 2, serial: 'C10000012', asset_tag: 'A2', custom: custom('2026-03-04', 'unknown') },
    ]),
  );
  const push = () => run(['push', 'snipe-it', '--url', snipe.url, '--ticket', number]);
  assert.equal((await push()).code, 0);
  const expected = [{ _snipeit_warranty_end_4: '2026-04-03' }, { _snipeit_warranty_end_4: '2026-04-03' }];
  assert.deepEqual(changed(snipe), expected);
  const again = await push();
  assert.deepEqual([again.code, again.stdout], [0, 'serial\tfield\tbefore\tafter\n']);
  assert.deepEqual(changed(snipe), expected);
});

test('snipe-it: no line has a secret or moves the cursor, whatever the server answers', async (t) => {
  const reason = `\x1b[2J${snipeItToken} is refused`;
  const snipe = await open(
    t,
    startSnipeIt([{ id: 1, serial: 'C1000\x1b[2J0001', asset_tag: 'A1', purchase_date: '2019-01-31' }], {
      refused: [1],
      reason,
      busy: `${snipeItToken} is busy`,
    }),
  );
  await register([{ serial: 'C1000\x1b[2J0001', end: '2099-03-13' }]);
  const { code, stderr } = await run(['push', 'snipe-it', '--url', snipe.url]);
  assert.equal(code, 1);
  assert.match(stderr, /\[token\] is busy; trying again\n/);
  assert.match(stderr, /C1000 \[2J0001: {2}\[2J\[token\] is refused\n/);
  assert.ok(!stderr.includes(snipeItToken) && !stderr.includes('\x1b'));
});

test('snipe-it: a refused change is told with its serial, stops no other, and ends with 1', async (t) => {
  const purchase_date = '2019-01-31';
  const snipe = await open(
    t,
    startSnipeIt(
      [
        { id: 1, serial: 'C10000001', asset_tag: 'A1', purchase_date },
        { id: 2, serial: 'C10000002', asset_tag: 'A2', purchase_date },
      ],
      { refused: [1] },
    ),
  );
  const { code, stderr, stdout } = await run(['push', 'snipe-it', '--url', snipe.url]);
  assert.equal(code, 1);
  assert.match(stderr, /C10000001: The serial must be unique\.\n[\s\S]*1 devices could not be written\n/);
  assert.match(stdout, /\nC10000002\twarranty_months\t\t12\n$/);
  const unread = spawn(process.execPath, [program, 'push', 'snipe-it', '--url', snipe.url], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  unread.stdout.destroy();
  const [ended] = await once(unread, 'exit');
  assert.equal(ended, 1, 'also when nobody reads what it prints');
});

test('glpi: phones are pulled with their fields, and their financial information is changed or made', async (t) => {
  const infocoms = [
    { id: 7, items_id: 1, warranty_date: '2096-03-14', warranty_duration: 24, warranty_info: null },
    {
      id: 8,
      items_id: 2,
      warranty_date: '2019-01-31',
      warranty_duration: 12,
      warranty_info: 'expired, ends 2020-01-31',
    },
  ];
  const many = Array.from({ length: 200 }, (_, nth) => ({ id: 10 + nth, serial: `D1000000${nth}` }));
  const glpi = await open(
    t,
    startGlpi(
      [
        { id: 1, serial: 'C10000001', otherserial: 'INV-1', users_id: 'Rina Wulandari' },
        { id: 2, serial: 'C10000002' },
        ...many,
        { id: 3, serial: 'C10000003', is_deleted: 1 },
        { id: 4, serial: 'C10000009' },
        { id: 5, serial: 'C10000004' },
      ],
      infocoms,
    ),
  );
  const number = await register([{ serial: 'C10000009', end: '2031-05-05' }]);
  const pulled = await run(['pull', 'glpi', '--url', glpi.url, '--out', 'glpi.xlsx']);
  assert.equal(pulled.code, 0, pulled.stderr);
  assert.match(
    pulled.stderr,
    /Too many requests; trying again\n[\s\S]*204 devices, 0 without a serial left out\n/,
  );
  assert.equal((await preview('glpi.xlsx')).valid_count, 204);
  const pushed = await run(['push', 'glpi', '--url', `${glpi.url}/apirest.php`]);
  assert.equal(pushed.code, 0, pushed.stderr);
  assert.deepEqual(changed(glpi), [
    { input: { warranty_duration: 36, warranty_info: 'covered, ends 2099-03-13' } },
    { input: { warranty_info: 'covered, ends 2031-05-05', itemtype: 'Phone', items_id: 4 } },
    { input: { warranty_info: 'unactivated', itemtype: 'Phone', items_id: 5 } },
  ]);
  assert.match(
    pushed.stderr,
    /3 devices changed, 1 as they were, 200 not in the register, 0 without a serial\n/,
  );
  assert.deepEqual(
    infocoms.map(({ items_id }) => items_id),
    [1, 2, 4, 5],
    'also the one whose answer was lost is made once',
  );
  assert.deepEqual(
    (await run(['push', 'glpi', '--url', glpi.url, '--ticket', number, '--json'])).stdout,
    '[]\n',
  );
  assert.equal(glpi.asked.at(-1)?.path, '/apirest.php/killSession');
});

test('glpi: an API client without an application token is sent none', async (t) => {
  const infocoms = [
    { id: 7, items_id: 1, warranty_date: '2096-03-14', warranty_duration: 24, warranty_info: null },
  ];
  const glpi = await open(t, startGlpi([{ id: 1, serial: 'C10000001' }], infocoms, null));
  for (const command of [
    ['pull', 'glpi', '--out', 'no-app-token.xlsx'],
    ['push', 'glpi'],
  ]) {
    const { code, stderr } = await run([...command, '--url', glpi.url], { GLPI_APP_TOKEN: '' });
    assert.equal(code, 0, stderr);
  }
  assert.equal(infocoms[0]?.warranty_duration, 36);
});

test('jamf: mobile devices are pulled and their warranty is set, with a token that is renewed before its end', async (t) => {
  const devices = Array.from({ length: 101 }, (_, nth) => ({
    id: String(nth + 1),
    serial: `C1000${String(nth + 1).padStart(4, '0')}`,
    realName: 'Rina Wulandari',
    warrantyExpiresDate: nth === 1 ? '2020-01-31T00:00:00Z' : null,
  }));
  const jamf = await open(t, startJamf(devices, { tokenSeconds: 30 }));
  const pulled = await run(['pull', 'jamf', '--out', 'jamf.xlsx'], { JAMF_URL: jamf.url });
  assert.equal(pulled.code, 0, pulled.stderr);
  assert.match(pulled.stderr, /Too many requests; trying again\n/);
  assert.equal((await preview('jamf.xlsx')).valid_count, 101);
  const pushed = await run(['push', 'jamf', '--ticket', ticket], { JAMF_URL: `${jamf.url}/` });
  assert.equal(pushed.code, 0, pushed.stderr);
  assert.equal(pushed.stdout, 'serial\tfield\tbefore\tafter\nC10000001\twarrantyExpiresDate\t\t2099-03-13\n');
  assert.equal(devices[0]?.warrantyExpiresDate, '2099-03-13T00:00:00.000Z');
  const tokens = jamf.asked.filter(({ path }) => path === '/api/v1/oauth/token');
  assert.ok(tokens.length > 2, 'a token that ends within a minute is renewed for each call');
});

test('jamf: the warranty of an Apple TV is written into its own part', async (t) => {
  const devices = [
    { id: '1', serial: 'C10000001', deviceType: 'tvOS', warrantyExpiresDate: null },
    { id: '2', serial: 'C10000002', deviceType: 'iOS', warrantyExpiresDate: null },
  ] as const;
  const jamf = await open(t, startJamf(devices.map((device) => ({ ...device }))));
  const push = () => run(['push', 'jamf', '--ticket', ticket, '--json'], { JAMF_URL: jamf.url });
  const pushed = await push();
  assert.equal(pushed.code, 0, pushed.stderr);
  assert.equal(JSON.parse(pushed.stdout).length, 2);
  assert.equal((await push()).stdout, '[]\n');
});

test('csv: an export is read with quotes and semicolons, and written again with three columns', async () => {
  const rows = [
    '\ufeffAsset;Serial number;"Person ""in charge"""',
    'A1;C10000001;"Wulandari; Rina"',
    'A2;C10000002;"two\r\nlines"',
    'A3;UNKNOWN1;',
    'A4;C10000003;',
  ];
  await writeFile(join(folder, 'export.csv'), `${rows.join('\r\n')}\r\n`);
  const pulled = await run(['pull', 'csv', 'export.csv', '--out', 'csv.xlsx']);
  assert.equal(pulled.code, 0, pulled.stderr);
  assert.equal((await preview('csv.xlsx')).valid_count, 4);
  const listed = await run(['push', 'csv', 'export.csv', '--dry-run']);
  assert.match(
    listed.stdout,
    /C10000001\tWarranty end\t\t2099-03-13\nC10000001\tWarranty status\t\tcovered\n/,
  );
  const pushed = await run(['push', 'csv', 'export.csv', '--out', 'updated.csv']);
  assert.equal(pushed.code, 0, pushed.stderr);
  assert.equal(
    await readFile(join(folder, 'updated.csv'), 'utf8'),
    [
      '\ufeffAsset;Serial number;"Person ""in charge""";Warranty end;Warranty months;Warranty status',
      'A1;C10000001;"Wulandari; Rina";2099-03-13;;covered',
      'A2;C10000002;"two\r\nlines";2020-01-31;;expired',
      'A3;UNKNOWN1;;;;',
      'A4;C10000003;;;;unknown',
      '',
    ].join('\r\n'),
  );
  const again = await run(['push', 'csv', 'updated.csv', '--dry-run']);
  assert.match(
    again.stderr,
    /0 devices to be changed, 3 as they were, 1 not in the register, 0 without a serial\n/,
  );
});

test('csv: a file that is not UTF-8 is refused, as its characters would be lost', async () => {
  await writeFile(join(folder, 'excel.csv'), Buffer.from('Serial;Person\nC10000001;Jos\xe9\n', 'latin1'));
  const { code, stderr } = await run(['push', 'csv', 'excel.csv', '--out', 'lost.csv']);
  assert.equal(code, 1);
  assert.match(stderr, /excel\.csv is not UTF-8/);
});

test('without --out a file gets a name of its own, and replaces none', async (t) => {
  const snipe = await open(t, startSnipeIt([{ id: 1, serial: 'C10000001', asset_tag: 'A1' }]));
  const pulled = await run(['pull', 'snipe-it', '--url', snipe.url]);
  assert.deepEqual([pulled.code, pulled.stdout], [0, ''], pulled.stderr);
  assert.match(pulled.stderr, /snipe-it\.xlsx is written\n.*1 devices, 0 without a serial left out\n/);
  assert.equal((await preview('snipe-it.xlsx')).valid_count, 1);
  await mkdir(join(folder, 'exports'));
  await writeFile(join(folder, 'exports', 'phones.csv'), 'Serial\nC10000001\n');
  const pushed = await run(['push', 'csv', 'exports/phones.csv']);
  assert.equal(pushed.code, 0, pushed.stderr);
  assert.match(pushed.stderr, /exports\/phones\.updated\.csv is written\n.*1 devices changed/);
  const updated = join(folder, 'exports', 'phones.updated.csv');
  assert.match(
    await readFile(updated, 'utf8'),
    /^\ufeffSerial,Warranty end,.*\r\nC10000001,2099-03-13,.*\r\n$/,
  );
  for (const args of [
    ['pull', 'snipe-it', '--url', snipe.url],
    ['push', 'csv', 'exports/phones.csv'],
  ]) {
    const { code, stderr } = await run(args);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /(snipe-it\.xlsx|exports\/phones\.updated\.csv) exists already: name the file by --out\n/,
    );
  }
  const filtered = await run(['push', 'csv', '-'], {}, 'Serial\nC10000001\n');
  assert.match(filtered.stdout, /^\ufeff?Serial,Warranty end/);
});

test('csv: standard input is read, and standard output is the file', async () => {
  await register([{ serial: 'C10000009', end: '2099-03-13' }]);
  const input = 'Serial,Holder\nC10000009,Rina\n';
  const pulled = await run(['pull', 'csv', '-', '--out', 'stdin.xlsx'], {}, input);
  assert.equal(pulled.code, 0, pulled.stderr);
  assert.equal((await preview('stdin.xlsx')).valid_count, 1);
  const pushed = await run(['push', 'csv', '-', '--out', '-'], {}, input);
  assert.equal(pushed.code, 0, pushed.stderr);
  assert.match(pushed.stdout, /^Serial,Holder,Warranty end,.*\r\nC10000009,Rina,2099-03-13,.*\r\n$/);
});

test('equal serials of two companies are kept apart: a superadmin names one', async () => {
  const other = await createUser(api);
  await register([{ serial: 'C10000001', end: '2020-05-05' }], other);
  const admin = await createUser(api, { superadmin: true });
  const body = { name: 'inventory', scope: 'read', expires_at: null };
  const { token } = (await api.send('POST /api/tokens', { token: admin.token, body })).json();
  await writeFile(join(folder, 'two.csv'), 'Serial\nC10000001\n');
  const push = (...more: string[]) =>
    run(['push', 'csv', 'two.csv', '--dry-run', ...more], { COVERDESK_TOKEN: token });
  const { code, stderr } = await push();
  assert.equal(code, 2);
  assert.match(stderr, /the register has devices of \w+, \w+: name one by --company\n/);
  assert.match((await push('--company', other.companyCode)).stdout, /\t2020-05-05\n.*\texpired\n$/);
  assert.match((await push('--company', user.companyCode)).stdout, /\t2099-03-13\n.*\tcovered\n$/);
});

test('a ticket or company without devices in the register is a failure', async () => {
  await writeFile(join(folder, 'unnamed.csv'), 'Serial\nC10000001\n');
  for (const option of ['--ticket', '--company']) {
    const { code, stdout, stderr } = await run(['push', 'csv', 'unnamed.csv', '--dry-run', option, '999999']);
    assert.deepEqual([code, stdout], [1, ''], stderr);
    assert.equal(stderr, 'coverdesk: the register has no devices of that ticket or company\n');
  }
});

test('coverage has ended by the day of the server', async () => {
  await writeFile(join(folder, 'later.csv'), 'Serial\nC10000001\n');
  const status = async () =>
    (await run(['push', 'csv', 'later.csv', '--dry-run'])).stdout.trim().split('\t').at(-1);
  assert.equal(await status(), 'covered');
  api.clock.set(new Date('2099-03-14T00:00:00+07:00'));
  assert.equal(await status(), 'expired');
});

test('wrong usage ends with 2, a refusal with 1, and no message has a secret', async (t) => {
  const unreachable = 'http://127.0.0.1:1';
  const cases: [string[], Record<string, string>, number, RegExp][] = [
    [['pull', 'glpi', '--out', 'x.xlsx'], {}, 2, /--url or GLPI_URL is needed/],
    [
      ['pull', 'jamf', '--url', unreachable, '--out', 'x.xlsx'],
      { JAMF_CLIENT_SECRET: '' },
      2,
      /JAMF_CLIENT_SECRET is needed/,
    ],
    [['pull', 'jamf', '--url', 'http://jamf.example.com', '--out', 'x.xlsx'], {}, 2, /unencrypted/],
    [
      ['pull', 'glpi', '--serial-field', 'x', '--out', 'x.xlsx'],
      {},
      2,
      /pull glpi takes no option --serial-field/,
    ],
    [['pull', 'csv', 'a.csv', '--json', '--out', 'x.xlsx'], {}, 2, /pull csv takes no option --json/],
    [['push', 'csv', 'a.csv', '--out', 'b.csv', '--dry-run'], {}, 2, /--dry-run writes no file/],
    [['push', 'glpi', '--url', unreachable], { COVERDESK_URL: '' }, 2, /COVERDESK_URL is needed/],
    [['push', 'intune'], {}, 2, /unknown command of push/],
    [['pull', 'csv', 'none.csv', '--out', 'x.xlsx'], {}, 1, /none\.csv cannot be read: ENOENT/],
    [
      ['pull', 'snipe-it', '--url', unreachable, '--retry', '0', '--out', 'x.xlsx'],
      {},
      1,
      /ECONNREFUSED|bad port/,
    ],
  ];
  for (const [args, more, expected, sentence] of cases) {
    const { code, stdout, stderr } = await run(args, more);
    assert.deepEqual([args, code, stdout], [args, expected, '']);
    assert.match(stderr, sentence);
    assert.doesNotMatch(stderr, /secret&|snipe-secret|glpi-user/);
  }
  const glpi = await open(t, startGlpi([], []));
  const refused = await run(['pull', 'glpi', '--url', glpi.url, '--out', 'x.xlsx'], {
    GLPI_USER_TOKEN: 'wrong',
  });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /ERROR_GLPI_LOGIN_USER_TOKEN/);
});
