import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { registerSome } from '#features/devices/server/devices.service.ts';
import { openMailer } from '#server/mail/mail.ts';
import { findVault } from '#server/vault/vault.ts';
import { createTestApi, type Send, type TestApi } from '#tests/support/api/api.ts';
import { readColumn } from '#tests/support/api/exports.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { takeMails } from '#tests/support/api/outbox.ts';
import { holdLock } from '#tests/support/database/race.ts';
import { queueDigests } from './digests/queue-digests.ts';
import { sendWatchMails } from './send-mails.ts';

let api: TestApi;
let user: TestUser;
let stranger: TestUser;
let admin: TestUser;
const lines: string[] = [];
before(async () => {
  api = await createTestApi({}, pino({ level: 'trace' }, { write: (line: string) => lines.push(line) }));
  user = await createUser(api);
  stranger = await createUser(api);
  admin = await createUser(api, { superadmin: true });
  at('2026-11-22T03:00:00Z');
});
after(() => api.close());

const at = (instant: string) => api.clock.set(new Date(instant));
const settings = {
  active: true,
  cadence: 'weekly',
  day: 1,
  horizon_days: 30,
  language: 'en',
  receivers: ['ayu@example.test', 'budi@example.test'],
};
const call = (route: string, send: Send = {}) => api.send(route, { token: user.token, ...send });
const put = async (owner: TestUser, change: object = {}) => {
  const answer = await api.send(`PUT /api/watch/${owner.companyCode}`, {
    token: owner.token,
    body: { ...settings, ...change },
  });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};
const addDevices = async (owner: TestUser, rows: { serial: string; end: string }[]) => {
  await createTicketWithRows(api, {
    companyCode: owner.companyCode,
    createdBy: owner.id,
    status: 'Cancelled',
    rows: rows.map((row) => ({ state: 'done', activation: 'activated', ...row })),
  });
  await registerSome(api.context.db);
};

/** Runs what an API process does in one round. */
async function runRound(): Promise<void> {
  const mailer = openMailer(api.context.config, api.context.log);
  await queueDigests(api.context);
  await sendWatchMails(api.context, mailer.send).finally(() => mailer.close());
}
const pathOf = (url: string) => url.replace(api.context.publicUrl, '');
const readCalendar = async (url: string) => api.send(`GET ${pathOf(url)}`);

test('a watch has defaults, is replaced, and belongs to its company and superadmins', async () => {
  const route = `/api/watch/${user.companyCode}`;
  const first = (await call(`GET ${route}`)).json();
  assert.partialDeepStrictEqual(first, { active: false, cadence: 'weekly', receivers: [], next_on: null });
  assert.match(first.ics_url, /^http:\/\/coverdesk\.test\/api\/calendar\/[0-9a-f]{64}\.ics$/);
  const stored = await put(user);
  assert.deepEqual(stored, {
    ...settings,
    group_by: null,
    unconfirmed: [],
    ics_url: first.ics_url,
    next_on: '2026-11-23',
    ends_from: '2026-11-22',
    ends_to: '2026-12-22',
    version: first.version + 1,
  });
  assert.deepEqual((await call(`GET ${route}`, { token: admin.token })).json(), stored);
  for (const [method, send] of [
    ['GET', {}],
    ['PUT', { body: settings }],
  ] as const) {
    const answer = await call(`${method} ${route}`, { token: stranger.token, ...send });
    assert.equal(answer.statusCode, 404);
  }
  assert.equal((await call(`POST ${route}/renew`, { token: stranger.token })).statusCode, 404);
  assert.equal((await call('GET /api/watch/NONE01', { token: admin.token })).statusCode, 404);
  await put(user, { active: false });
});

test('settings out of bounds are refused', async () => {
  for (const [field, value] of Object.entries({
    day: 8,
    horizon_days: 0,
    cadence: 'daily',
    language: 'de',
    receivers: ['nobody'],
  })) {
    const answer = await call(`PUT /api/watch/${user.companyCode}`, {
      body: { ...settings, [field]: value },
    });
    assert.equal(answer.statusCode, 400, field);
    assert.ok(answer.json().details[0].path.startsWith(field), answer.body);
  }
  const receivers = ['Ayu@example.test', 'ayu@example.test'];
  const twice = await call(`PUT /api/watch/${user.companyCode}`, { body: { ...settings, receivers } });
  assert.match(twice.body, /An address is listed twice/);
  const many = Array.from({ length: 21 }, (_, nth) => `r${nth}@example.test`);
  const answer = await call(`PUT /api/watch/${user.companyCode}`, { body: { ...settings, receivers: many } });
  assert.equal(answer.statusCode, 400);
});

test('a receiver is any address that a user may have', async () => {
  const receivers = ['admin@localhost', 'ayu@example.test'];
  assert.deepEqual((await put(user, { receivers })).receivers, receivers);
  await put(user, { active: false });
});

test('the calendar has one event per day with ends, with the same UID after changes and renewal', async () => {
  const owner = await createUser(api);
  await addDevices(owner, [
    { serial: 'PAST', end: '2026-11-21' },
    { serial: 'TODAY1', end: '2026-11-22' },
    { serial: 'TODAY2', end: '2026-11-22' },
    { serial: 'LAST', end: '2026-12-22' },
    { serial: 'BEYOND', end: '2026-12-23' },
  ]);
  await addDevices(stranger, [{ serial: 'OTHER', end: '2026-11-25' }]);
  const { ics_url: url } = await put(owner, { receivers: [] });
  const answer = await readCalendar(url);
  assert.equal(answer.statusCode, 200);
  assert.match(String(answer.headers['content-type']), /^text\/calendar/);
  const listUids = (text: string) => text.match(/^UID:.+$/gm)?.map((line) => line.trim());
  const uids = [
    `UID:${owner.companyCode}-2026-11-22@coverdesk`,
    `UID:${owner.companyCode}-2026-12-22@coverdesk`,
  ];
  assert.deepEqual(listUids(answer.body), uids);
  assert.deepEqual(
    answer.body.match(/^DT(START|END);.+$/gm)?.map((line) => line.trim()),
    [
      'DTSTART;VALUE=DATE:20261122',
      'DTEND;VALUE=DATE:20261123',
      'DTSTART;VALUE=DATE:20261222',
      'DTEND;VALUE=DATE:20261223',
    ],
  );
  assert.match(answer.body, /SUMMARY:Coverage of 2 devices ends\r/);

  const renewed = await api.send(`POST /api/watch/${owner.companyCode}/renew`, { token: owner.token });
  const { ics_url: next } = renewed.json();
  assert.notEqual(next, url);
  assert.equal((await readCalendar(url)).json().code, 'calendar_not_found');
  await put(owner, { language: 'id', receivers: [] });
  const later = await readCalendar(next);
  assert.deepEqual(listUids(later.body), uids);
  assert.match(later.body, /SUMMARY:Garansi 2 perangkat berakhir/);
  await put(owner, { active: false, receivers: [] });
  const off = await readCalendar(next);
  assert.equal(off.statusCode, 200);
  assert.doesNotMatch(off.body, /VEVENT/);

  const secret = /calendar\/(\w+)/.exec(next)?.[1] ?? assert.fail();
  assert.doesNotMatch(lines.join(''), new RegExp(secret));
  const { rows } = await api.context.db.query('SELECT w::text AS line FROM watches w');
  assert.doesNotMatch(JSON.stringify(rows), new RegExp(secret));
});

test('the calendar, which anyone with its address can read at any rate, counts no devices one by one', async () => {
  const owner = await createUser(api);
  await addDevices(owner, [{ serial: 'COUNTED1', end: '2026-11-22' }]);
  const { ics_url: url } = await put(owner, { receivers: [] });
  await holdLock(api.context.db, ['LOCK TABLE devices IN ACCESS EXCLUSIVE MODE', []], async () => {
    const { body } = await readCalendar(url);
    assert.match(body, /SUMMARY:Coverage of 1 device ends\r/);
  });
  await api.context.db.query('DELETE FROM devices WHERE company_code = $1', [owner.companyCode]);
  assert.doesNotMatch((await readCalendar(url)).body, /VEVENT/);
});

test('the name of a company adds nothing to its calendar', async () => {
  const owner = await createUser(api);
  await api.context.db.query('UPDATE clients SET company_name = $2 WHERE company_code = $1', [
    owner.companyCode,
    'Acme, Inc.; \\o/\r\nBEGIN:VEVENT\nSUMMARY:no',
  ]);
  const { body } = await readCalendar((await put(owner, { receivers: [] })).ics_url);
  const name = 'Ends of coverage: Acme\\, Inc.\\; \\\\o/ BEGIN:VEVENT SUMMARY:no';
  assert.deepEqual(
    body.split('\r\n').filter((line) => line.includes('Acme')),
    [`NAME:${name}`, `X-WR-CALNAME:${name}`],
  );
  assert.ok(!body.includes('\nBEGIN:VEVENT') && !/[^\r]\n/.test(body));
});

test('a digest lists each end once, for every receiver, with the list attached', async () => {
  await addDevices(user, [
    { serial: 'SOON1', end: '2026-12-01' },
    { serial: 'SOON2', end: '2026-12-02' },
    { serial: 'FAR', end: '2027-03-01' },
  ]);
  await put(user);
  await runRound();
  assert.deepEqual(await takeMails(api), [], 'nothing is due before Monday');
  at('2026-11-22T23:59:00Z');
  await runRound();
  assert.deepEqual(await takeMails(api), [], 'nothing is due before 7:00 in Jakarta');
  at('2026-11-23T00:01:00Z');
  await runRound();
  const mails = await takeMails(api);
  assert.deepEqual(
    mails.map(({ to }) => to?.[0]?.address),
    settings.receivers,
  );
  const [mail = assert.fail()] = mails;
  assert.equal(mail.subject, 'Coverage of 2 devices ends soon');
  assert.match(mail.text ?? '', /within the next 30 days/);
  assert.match(
    mail.text ?? '',
    /By week\n30 Nov\s–\s6 Dec 2026: 2\n\nBy model\niPhone 15: 2\n\nShow all devices whose coverage ends by 23 Dec 2026:/,
  );
  assert.match(
    mail.html ?? '',
    /ends_from=2026-11-23&(amp|#38);ends_to=2026-12-23&(amp|#38);sort=coverage_end_date"/,
  );
  const [list = assert.fail()] = mail.attachments;
  assert.equal(list.filename, `coverage_${user.companyCode}_2026-11-23.xlsx`);
  assert.equal(
    Buffer.from(list.content as ArrayBuffer)
      .subarray(0, 2)
      .toString(),
    'PK',
  );
  assert.equal((await call(`GET /api/watch/${user.companyCode}`)).json().next_on, '2026-11-30');

  await runRound();
  at('2026-11-30T00:01:00Z');
  await runRound();
  assert.deepEqual(await takeMails(api), [], 'a digest with nothing new is not sent');
  await addDevices(user, [{ serial: 'SOON3', end: '2026-12-20' }]);
  at('2026-11-22T03:00:00Z');
  await put(user, { language: 'id' });
  // Two Mondays were missed.
  at('2026-12-18T05:00:00Z');
  await runRound();
  await runRound();
  const late = await takeMails(api);
  assert.deepEqual(
    late.map(({ subject }) => subject),
    Array(2).fill('Garansi 1 perangkat segera berakhir'),
  );
  // The link opens more than the mail counts: also ends that earlier mails listed.
  assert.match(late[0]?.text ?? '', /Tampilkan semua perangkat yang garansinya berakhir hingga 17 Jan 2027:/);
});

test('a digest is summed by an own column as long as the company has it', async () => {
  const owner = await createUser(api);
  const send = { token: owner.token };
  const putFields = (fields: object[]) =>
    api.send(`PUT /api/fields/${owner.companyCode}`, { ...send, body: { fields } });
  const route = `/api/watch/${owner.companyCode}`;
  const refused = await api.send(`PUT ${route}`, { ...send, body: { ...settings, group_by: 'site' } });
  assert.deepEqual([refused.statusCode, refused.json().details[0].path], [400, 'group_by'], refused.body);
  await putFields([{ key: 'site', name: 'Site <&>' }]);
  at('2026-11-22T03:00:00Z');
  await addDevices(owner, [
    { serial: 'BYSITE1', end: '2026-12-01' },
    { serial: 'BYSITE2', end: '2026-12-01' },
    { serial: 'BYSITE3', end: '2026-12-02' },
    { serial: 'BYSITE4', end: '2026-12-02' },
  ]);
  await api.context.db.query(
    `INSERT INTO device_fields (company_code, serial, fields)
     SELECT $1, serial, '{"site": "Solo"}' FROM unnest('{BYSITE2,BYSITE3,BYSITE4}'::text[]) AS serial`,
    [owner.companyCode],
  );
  assert.equal((await put(owner, { group_by: 'site' })).group_by, 'site');
  assert.equal((await put(owner)).group_by, 'site', 'it stays when a program does not name it');
  at('2026-11-23T05:00:00Z');
  await runRound();
  const [mail = assert.fail()] = await takeMails(api);
  assert.match(mail.text ?? '', /By Site <&>\nSolo: 3\nWithout a value: 1\n\nShow all devices/);
  assert.match(mail.html ?? '', /By Site &(lt|#60);&(amp|#38);&(gt|#62);/);
  const [list = assert.fail()] = mail.attachments;
  assert.deepEqual(readColumn(Buffer.from(list.content as ArrayBuffer), 'Site <&>'), [
    ['BYSITE1', null],
    ['BYSITE2', 'Solo'],
    ['BYSITE3', 'Solo'],
    ['BYSITE4', 'Solo'],
  ]);
  // The watch has the key still, and the values of the column would be another's.
  await api.context.db.query('DELETE FROM company_fields WHERE company_code = $1', [owner.companyCode]);
  assert.equal((await api.send(`GET ${route}`, send)).json().group_by, null);
  await addDevices(owner, [{ serial: 'BYSITE5', end: '2026-12-02' }]);
  at('2026-11-30T05:00:00Z');
  await runRound();
  const [later = assert.fail()] = await takeMails(api);
  assert.doesNotMatch(later.text ?? '', /Site|Without a value/);
});

test('several processes that run at once send each mail once', async () => {
  const owner = await createUser(api);
  at('2026-11-22T03:00:00Z');
  await addDevices(owner, [{ serial: 'RACE1', end: '2026-12-01' }]);
  await put(owner);
  at('2026-11-23T05:00:00Z');
  await Promise.all([runRound(), runRound(), runRound(), runRound()]);
  await runRound();
  assert.equal((await takeMails(api)).length, 2);
});

test('a mail that cannot be sent waits and keeps its Message-ID; a crash after sending repeats it once', async () => {
  const owner = await createUser(api);
  at('2026-11-22T03:00:00Z');
  await addDevices(owner, [{ serial: 'RETRY1', end: '2026-12-01' }]);
  await put(owner, { receivers: ['ayu@example.test'] });
  at('2026-11-23T05:00:00Z');
  await queueDigests(api.context);
  const ids: (string | undefined)[] = [];
  await sendWatchMails(api.context, async ({ messageId }) => {
    ids.push(messageId);
    throw new Error('no such host');
  });
  await runRound();
  assert.deepEqual(await takeMails(api), [], 'the next attempt is a minute later');
  const lapse = () => api.context.db.query("UPDATE watch_mails SET next_at = now() - interval '1 second'");
  await lapse();
  // The connection breaks after the mail was sent: as after a crash, its lease has to end.
  const db = Object.create(api.context.db);
  const stopping = new AbortController();
  db.query = (query: { text: string }, ...more: unknown[]) => {
    if (/^(DELETE FROM|UPDATE) watch_mails (WHERE|SET next_at)/.test(query.text)) {
      // Otherwise the deletion would be repeated until the lease ends.
      stopping.abort();
      throw new Error('crash');
    }
    return api.context.db.query(query as never, ...(more as []));
  };
  const send = async ({ messageId }: { messageId?: string }) => void ids.push(messageId);
  await assert.rejects(sendWatchMails({ ...api.context, db }, send, stopping.signal), /crash/);
  await lapse();
  await sendWatchMails(api.context, send);
  await sendWatchMails(api.context, send);
  assert.equal(ids.length, 3);
  assert.equal(new Set(ids).size, 1);
});

test('attempts that a stop broke off are no failures', async () => {
  const owner = await createUser(api);
  at('2026-11-22T03:00:00Z');
  await addDevices(owner, [{ serial: 'STOP1', end: '2026-12-01' }]);
  await put(owner, { receivers: ['ayu@example.test'] });
  at('2026-11-23T05:00:00Z');
  await queueDigests(api.context);
  for (let nth = 0; nth < 2; nth++) {
    const stopping = new AbortController();
    const send = async () => {
      stopping.abort();
      throw new Error('stopped');
    };
    await sendWatchMails(api.context, send, stopping.signal);
  }
  const { rows } = await api.context.db.query(
    'SELECT attempts, next_at <= now() AS due FROM watch_mails WHERE company_code = $1',
    [owner.companyCode],
  );
  assert.deepEqual(rows, [{ attempts: 0, due: true }]);
  await runRound();
  assert.equal((await takeMails(api)).length, 1);
});

test('the link in a mail shows its receiver, removes it, and works twice', async () => {
  const owner = await createUser(api);
  at('2026-11-22T03:00:00Z');
  await addDevices(owner, [{ serial: 'LINK1', end: '2026-12-01' }]);
  const { version } = await put(owner);
  at('2026-11-23T05:00:00Z');
  await runRound();
  const [mail = assert.fail()] = await takeMails(api);
  const header = mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
  const url = /<(.+)>/.exec(header)?.[1] ?? assert.fail(header);
  const page = url.replace('/api/', '/');
  assert.ok(mail.text?.includes(page) && mail.html?.includes(page), 'the mail has the link');
  const told = await api.send(`GET ${pathOf(url)}`);
  assert.deepEqual(told.json(), { address: 'ayu@example.test', company_name: 'Acme' });
  const post = async (type: string, payload: string) => {
    const headers = { 'content-type': type };
    const answer = await api.app.inject({ method: 'POST', url: pathOf(url), headers, payload });
    return answer.statusCode;
  };
  const [urlEncoded, multipart] = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];
  const part = (value: string) =>
    `--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\n${value}\r\n--x--\r\n`;
  for (const [type, form] of [
    [urlEncoded, (value: string) => `List-Unsubscribe=${value}`],
    [multipart, part],
  ] as const) {
    assert.equal(await post(type, form('x'.repeat(2000))), 413, type);
    assert.equal(await post(type, form('One-Click')), 200, type);
  }
  assert.equal((await api.send(`GET ${pathOf(url)}`)).statusCode, 404);
  const { receivers } = (
    await api.send(`GET /api/watch/${owner.companyCode}`, { token: owner.token })
  ).json();
  assert.deepEqual(receivers, ['budi@example.test']);
  const stale = await api.send(`PUT /api/watch/${owner.companyCode}`, {
    token: owner.token,
    body: { ...settings, version },
  });
  assert.deepEqual([stale.statusCode, stale.json().code], [409, 'changed_meanwhile']);
  const token = url.split('/').at(-1) ?? '';
  assert.doesNotMatch(lines.join(''), new RegExp(token));
});

test('a sealed secret opens only as a calendar’s', async () => {
  const { rows } = await api.context.db.query('SELECT secret FROM watches LIMIT 1');
  assert.throws(() => findVault().open('token', rows[0].secret));
});
