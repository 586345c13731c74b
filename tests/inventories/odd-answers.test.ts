import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { runProgram, startRegister } from '#tests/support/inventories/run-program.ts';
import { type Answered, type Asked, startStandIn } from '#tests/support/inventories/stand-in.ts';

let folder: string;
let register: Awaited<ReturnType<typeof startRegister>>;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coverdesk-odd-answers-'));
  register = await startRegister(['C10000001', 'C10000002', 'C10000003']);
});
after(async () => {
  await register.close();
  await rm(folder, { recursive: true });
});

/** Runs a command with an inventory that answers as given. */
async function run(t: TestContext, args: string[], answer: (asked: Asked) => Answered | Promise<Answered>) {
  const inventory = await startStandIn(answer);
  t.after(() => inventory.close());
  return runProgram(folder, [...args, '--url', inventory.url], {
    COVERDESK_URL: register.url,
    SNIPE_IT_TOKEN: 'snipe',
    GLPI_APP_TOKEN: 'app',
    GLPI_USER_TOKEN: 'user',
    JAMF_CLIENT_ID: 'id',
    JAMF_CLIENT_SECRET: 'secret',
  });
}

const asset = (id: number) => ({ id, serial: `C1000000${id}`, purchase_date: { date: '2025-01-01' } });
const success = { status: 'success', messages: '' };
const head = 'serial\tfield\tbefore\tafter\n';
const months = (id: number) => `C1000000${id}\twarranty_months\t\t24\n`;

test('snipe-it: a change answered by null and a row that is no asset stop no other device', async (t) => {
  const rows = [asset(1), null, asset(2)];
  const { stdout, stderr, code } = await run(t, ['push', 'snipe-it'], ({ method, path }) => {
    if (method === 'GET') return { body: { total: rows.length, rows } };
    return { body: path.endsWith('/1') ? null : success };
  });
  assert.deepEqual([code, stdout], [1, head + months(2)], stderr);
  assert.match(stderr, /C10000001: the change was refused\n/);
  assert.match(stderr, /1 devices changed, 0 as they were, 0 not in the register, 1 without a serial\n/);
  assert.match(stderr, /1 devices could not be written\n$/);
});

/** Answers as GLPI with lists of phones and of their financial information. */
const answerGlpi = (phones: unknown[], infocoms: unknown[], change: (asked: Asked) => Answered) => {
  const list = (body: unknown[]) => ({ body, headers: { 'content-range': `0-0/${body.length}` } });
  return (asked: Asked): Answered => {
    if (asked.path.endsWith('Session')) return { body: { session_token: 'session' } };
    if (asked.method !== 'GET') return change(asked);
    return list(asked.path.endsWith('/Phone') ? phones : infocoms);
  };
};

test('glpi: changes answered by {} and null, and rows that are no items, stop no other device', async (t) => {
  const phones = [
    { id: 1, serial: 'C10000001' },
    null,
    { id: 2, serial: 'C10000002' },
    { id: 3, serial: 'C10000003' },
  ];
  const infocoms = [
    { id: 7, items_id: 1, itemtype: 'Phone' },
    null,
    { id: 9, items_id: 3, itemtype: 'Phone' },
  ];
  const answer = answerGlpi(phones, infocoms, ({ method, path }) => {
    if (method === 'POST') return { body: null };
    return { body: path.endsWith('/7') ? {} : [{ 9: true }] };
  });
  const { stdout, stderr, code } = await run(t, ['push', 'glpi'], answer);
  assert.equal(code, 1);
  assert.match(stderr, /C10000001: the change was refused\n/);
  assert.match(stderr, /C10000002: the change was refused\n/);
  assert.match(stderr, /1 devices changed, 0 as they were, 0 not in the register, 1 without a serial\n/);
  assert.match(stdout, /^serial.*\nC10000003\t/);
});

test('jamf: a refusal without a list of errors stops no other device', async (t) => {
  const results = [1, 2].map((id) => ({ mobileDeviceId: id, hardware: { serialNumber: `C1000000${id}` } }));
  const { stdout, stderr, code } = await run(t, ['push', 'jamf', '--retry', '3'], ({ method, path }) => {
    if (path.endsWith('/token')) return { body: { access_token: 'token', expires_in: 1200 } };
    if (method === 'GET') return { body: { totalCount: 2, results } };
    return path.endsWith('/1') ? { status: 400, body: { errors: 'no' } } : { body: {} };
  });
  assert.equal(code, 1);
  assert.match(stderr, /^coverdesk: C10000001: HTTP 400\n/);
  assert.equal(stdout, `${head}C10000002\twarrantyExpiresDate\t\t2027-01-01\n`);
});

test('what was changed is told when a later page of the list is refused', async (t) => {
  const { stdout, stderr, code } = await run(t, ['push', 'snipe-it'], ({ method, query }) => {
    if (method !== 'GET') return { body: success };
    if (query.get('offset') === '0') return { body: { total: 3, rows: [asset(1), asset(2)] } };
    return { status: 403, body: { messages: 'You may not.' } };
  });
  assert.deepEqual([code, stdout], [1, head + months(1) + months(2)], stderr);
  assert.match(
    stderr,
    /2 devices changed, 0 as they were, 0 not in the register, 0 without a serial\ncoverdesk: You may not\.\n$/,
  );
});

test('nothing but the reason is told when the first page is refused', async (t) => {
  const refusal = { status: 403, body: { messages: 'You may not.' } };
  const { stdout, stderr, code } = await run(t, ['push', 'snipe-it'], () => refusal);
  assert.deepEqual([code, stdout, stderr], [1, '', 'coverdesk: You may not.\n']);
});

test('glpi: when the server goes away, the end of its session is not tried again', async (t) => {
  const { code, stderr } = await run(t, ['pull', 'glpi', '--out', 'x.xlsx', '--retry', '1'], ({ path }) =>
    path.endsWith('/initSession')
      ? { body: { session_token: 'session' } }
      : { status: 503, body: 'starting' },
  );
  assert.equal(code, 1);
  assert.equal(stderr, 'coverdesk: HTTP 503; trying again\ncoverdesk: HTTP 503; tried for 1 s\n');
});

test('snipe-it: a custom field that no asset has is a failure, instead of assets without a serial', async (t) => {
  const field = { field: '_snipeit_imei_1', value: 'C10000001', field_format: 'ANY' };
  const rows = [asset(1), { ...asset(2), custom_fields: { IMEI: field } }];
  const runWith = (name: string, ...args: string[]) =>
    run(t, [...args, '--serial-field', name], () => ({ body: { total: rows.length, rows } }));
  for (const args of [
    ['pull', 'snipe-it', '--out', 'x.xlsx'],
    ['push', 'snipe-it', '--dry-run'],
  ]) {
    const { code, stderr } = await runWith('IMIE', ...args);
    assert.equal(code, 1, stderr);
    assert.match(stderr, /coverdesk: no asset has the custom field IMIE\n$/);
  }
  assert.deepEqual(await readdir(folder), []);
  const { code, stderr } = await runWith('IMEI', 'push', 'snipe-it', '--dry-run');
  assert.equal(code, 0);
  assert.match(
    stderr,
    /1 devices to be changed, 0 as they were, 0 not in the register, 1 without a serial\n/,
  );
});

test('when the server goes away between two changes, the command ends and lists the changes before', async (t) => {
  const { stdout, stderr, code } = await run(t, ['push', 'snipe-it', '--retry', '1'], ({ method, path }) => {
    if (method === 'GET') return { body: { total: 3, rows: [asset(1), asset(2), asset(3)] } };
    return path.endsWith('/1') ? { body: success } : { status: 503, body: 'starting' };
  });
  assert.deepEqual([code, stdout], [1, head + months(1)], stderr);
  assert.match(
    stderr,
    /^coverdesk: HTTP 503; trying again\n.* 1 devices changed, .*\ncoverdesk: HTTP 503; tried for 1 s\n$/,
  );
});

test('--retry counts from the first fault, not from the beginning of a long call', async (t) => {
  let calls = 0;
  const { stderr, code } = await run(t, ['pull', 'snipe-it', '--out', '-', '--retry', '1'], async () => {
    calls += 1;
    if (calls > 1) return { body: { total: 1, rows: [asset(1)] } };
    await delay(1500);
    return { status: 503, body: 'starting' };
  });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^coverdesk: HTTP 503; trying again\ncoverdesk: 1 devices, /);
});

test('a sign-in that is answered without a token ends with that reason', async (t) => {
  for (const [system, name] of [
    ['glpi', 'GLPI'],
    ['jamf', 'Jamf Pro'],
  ] as const) {
    for (const body of [null, {}, { session_token: 7, access_token: '' }]) {
      const { stdout, stderr, code } = await run(t, ['push', system], () => ({ body }));
      assert.deepEqual([code, stdout, stderr], [1, '', `coverdesk: ${name}: the answer has no token\n`]);
    }
  }
});

test('a list without its total, or without rows, is refused instead of taken as complete', async (t) => {
  const noTotal = /^coverdesk: (Snipe-IT|GLPI|Jamf Pro): the answer does not say how many there are\n$/;
  const noList = /^coverdesk: (Snipe-IT|GLPI|Jamf Pro): the answer has no list\n$/;
  const token = { access_token: 'token', expires_in: 1200, session_token: 'session' };
  const cases: [string, unknown, RegExp][] = [
    ['snipe-it', { rows: [asset(1)] }, noTotal],
    ['snipe-it', null, noList],
    ['glpi', [{ id: 1, serial: 'C10000001' }], noTotal],
    ['glpi', {}, noList],
    ['jamf', { results: [{ mobileDeviceId: '1' }] }, noTotal],
    ['jamf', null, noList],
  ];
  for (const [system, body, sentence] of cases) {
    const { code, stderr } = await run(t, ['pull', system, '--out', 'x.xlsx'], ({ path }) => ({
      body: /Session|token/.test(path) ? token : body,
    }));
    assert.deepEqual([system, code], [system, 1]);
    assert.match(stderr, sentence);
  }
  assert.deepEqual(await readdir(folder), []);
});
