import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Source } from '#features/sources/sources.contract.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser } from '#tests/support/api/factories.ts';
import { holdLock, waitForWaiting } from '#tests/support/database/race.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { createAuthority } from '#tests/support/sources/certificates.ts';
import { gsxAccount } from '#tests/support/sources/gsx-stand-in.ts';
import { startUpstream, type Upstream, upstreamEntry } from '#tests/support/sources/upstream.ts';
import { readSources } from './configuration/sources-file.ts';
import { addCallCounts } from './figures/call-counts.queries.ts';
import { createCallCounter } from './figures/call-counts.ts';
import { kinds } from './kinds/kinds.ts';
import { listSources } from './sources.service.ts';

const secret = 'do/not show+this';
const serial = '353901102345677';

let api: TestApi;
let upstream: Upstream;
let folder: string;
let token: string;
before(async () => {
  upstream = await startUpstream();
  folder = await mkdtemp(join(tmpdir(), 'coverdesk-sources-'));
  process.env.COVERDESK_TEST_SECRET = secret;
  const request = {
    url: `${upstream.url}/v1/{serial}`,
    query: { key: '${COVERDESK_TEST_SECRET}' },
    headers: { 'X-Key': '${COVERDESK_TEST_SECRET}' },
  };
  const sources = [
    upstreamEntry(upstream, { request, limits: { per_second: 5, concurrency: 2 } }),
    upstreamEntry(upstream, { name: 'serials-only', label: 'Serials', accepts: ['serial'] }),
    upstreamEntry(upstream, { name: 'template', enabled: false }),
    { name: 'own', label: 'Our list', kind: 'registry' },
    upstreamEntry(upstream, {
      name: 'mistaken',
      outcomes: [{ if: '$check(body)', then: 'not_found' }],
      request: { url: `${upstream.url}/v1/{serial}`, headers: { 'X-Key': '${COVERDESK_TEST_SECRET}' } },
      fields: {
        type: 'body.model',
        activation_status: 'body.activated',
        purchase_date: '"2024.12.16"',
        warranty_title: `{ "key": "${secret}" }`,
        coverage_start_date: '$day(body.end)',
        coverage_end_date: 'body.no_such_field',
      },
    }),
  ];
  const file = join(folder, 'sources.json');
  await writeFile(file, JSON.stringify({ sources }));
  api = await createTestApi({ SOURCES_FILE: file });
  token = (await createUser(api, { superadmin: true })).token;
});
after(async () => {
  delete process.env.COVERDESK_TEST_SECRET;
  await api.close();
  await upstream.close();
  await rm(folder, { recursive: true });
});

const sourceNamed = async (name: string): Promise<Source | undefined> => {
  const answer = await api.send('GET /api/sources', { token });
  assert.equal(answer.statusCode, 200);
  return answer.json<{ data: Source[] }>().data.find((source) => source.name === name);
};

test('lists every source of the file in its order, with limits and state', async () => {
  const answer = await api.send('GET /api/sources', { token });
  const { data } = answer.json<{ data: Source[] }>();
  assert.deepEqual(
    data.map(({ name, kind, state, reason }) => [name, kind, state, reason]),
    [
      ['stand-in', 'http', 'up', null],
      ['serials-only', 'http', 'up', null],
      ['template', 'http', 'off', 'disabled'],
      ['own', 'registry', 'up', null],
      ['mistaken', 'http', 'up', null],
    ],
  );
  assert.deepEqual(data[0]?.limits, {
    per_second: 5,
    concurrency: 2,
    per_proxy_per_second: null,
    per_proxy_concurrency: null,
  });
  assert.equal(data[0]?.minutes.length, 60);
  assert.ok(!answer.body.includes(secret));
});

test('adds up the figures of all workers', async () => {
  const health = createCallCounter();
  for (let ms = 1; ms <= 100; ms++) health.record('found', ms, null);
  health.record('retry', 900, 'HTTP 503');
  const count = health.take();
  assert.ok(count);
  for (let worker = 0; worker < 2; worker++) await addCallCounts(api.context.db, 'serials-only', count);
  const source = await sourceNamed('serials-only');
  assert.deepEqual([source?.calls, source?.outcomes], [202, { found: 200, retry: 2 }]);
  const { body } = await api.send('GET /metrics');
  assert.match(body, /^coverdesk_lookups_total\{source="serials-only",outcome="found"\} 200$/m);
  assert.ok(source?.p50_ms && source.p50_ms >= 50 && source.p50_ms <= 65, String(source?.p50_ms));
  assert.ok(source?.p95_ms && source.p95_ms >= 95 && source.p95_ms <= 120, String(source?.p95_ms));
  assert.equal(
    source.minutes.reduce((sum, { calls }) => sum + calls, 0),
    202,
  );
});

test('pauses and resumes a source', async () => {
  const paused = await api.send('POST /api/sources/stand-in/pause', { token });
  assert.deepEqual(
    [paused.statusCode, paused.json().source.state, paused.json().source.reason],
    [200, 'off', 'paused'],
  );
  const resumed = await api.send('POST /api/sources/stand-in/resume', { token });
  assert.equal(resumed.json().source.state, 'up');
  assert.equal((await api.send('POST /api/sources/nobody/pause', { token })).statusCode, 404);
});

test('resuming closes the circuit of a source', async () => {
  await api.context.db.query(
    "UPDATE sources SET state = 'quota', probe_at = now() + interval '5 minutes' WHERE name = 'stand-in'",
  );
  const waiting = await sourceNamed('stand-in');
  assert.deepEqual(
    [waiting?.state, waiting?.reason, waiting?.next_probe !== null],
    ['waiting', 'quota', true],
  );
  await api.send('POST /api/sources/stand-in/resume', { token });
  assert.equal((await sourceNamed('stand-in'))?.state, 'up');
});

test('a try shows request, response, outcome and row without secrets, and counts as a call', async () => {
  const before = await sourceNamed('stand-in');
  const answer = await api.send('POST /api/sources/stand-in/try', {
    token,
    body: { serial: '35-390110-234567-7' },
  });
  assert.equal(answer.statusCode, 200, answer.body);
  const trial = answer.json();
  assert.deepEqual([trial.serial, trial.kind, trial.outcome], [serial, 'imei', 'found']);
  assert.deepEqual(trial.row, {
    type: 'Stand-in phone',
    activation_status: 'activated',
    purchase_date: null,
    warranty_title: null,
    coverage_start_date: null,
    coverage_end_date: '2027-05-31',
  });
  const [{ request, answer: shown }] = trial.exchanges;
  assert.equal(request.url, `${upstream.url}/v1/${serial}?key=***`);
  assert.equal(request.headers['x-key'], '***');
  assert.equal(shown.status, 200);
  assert.ok(!answer.body.includes(secret) && !answer.body.includes(encodeURIComponent(secret)));
  const after = await sourceNamed('stand-in');
  assert.deepEqual(
    [after?.calls, after?.outcomes.found],
    [(before?.calls ?? 0) + 1, (before?.outcomes.found ?? 0) + 1],
  );
});

test('a try shows the found fields, and the reason why another field could not be mapped', async () => {
  const problemsIn = async (language: string) => {
    const answer = await api.send('POST /api/sources/mistaken/try', {
      token,
      body: { serial },
      headers: { 'accept-language': language },
    });
    assert.equal(answer.statusCode, 200, answer.body);
    const { outcome, row, problems } = answer.json();
    assert.equal(outcome, 'found');
    assert.deepEqual(Object.values(row), ['Stand-in phone', null, null, null, null, null]);
    return Object.fromEntries(
      problems.map(({ path, reason }: { path: string; reason: string }) => [path, reason]),
    );
  };
  const problems = await problemsIn('en');
  assert.deepEqual(Object.keys(problems).toSorted(), [
    ...['fields.activation_status', 'fields.coverage_start_date', 'fields.purchase_date'],
    ...['fields.warranty_title', 'outcomes[0].if'],
  ]);
  assert.match(
    problems['outcomes[0].if'],
    /Attempted to invoke a non-function \(position 7, token "check"\)/,
  );
  assert.match(problems['fields.activation_status'], /^Found true\. Accepted: "activated" or "unactivated"/);
  assert.match(
    problems['fields.purchase_date'],
    /^Found "2024\.12\.16"\. Accepted: .*2024-12-16.*16\/12\/2024/,
  );
  assert.match(problems['fields.warranty_title'], /^Found {"key":"\*\*\*"}\. Accepted: a text or a number/);
  assert.match(problems['fields.coverage_start_date'], /The expression fails: .*\(position 5, token "day"\)/);
  assert.match(
    (await problemsIn('id'))['fields.purchase_date'],
    /^Ditemukan "2024\.12\.16"\. Yang diterima: /,
  );
});

test('a try is refused for an unusable serial, and for a disabled or unknown source', async () => {
  const tries: [string, string, number][] = [
    ['stand-in', 'no serial', 400],
    ['stand-in', '353901102345671', 400],
    ['serials-only', serial, 400],
    ['template', serial, 409],
    ['nobody', serial, 404],
  ];
  for (const [name, text, status] of tries) {
    const answer = await api.send(`POST /api/sources/${name}/try`, { token, body: { serial: text } });
    assert.equal(answer.statusCode, status, `${name} ${text}`);
  }
});

test('only a registry accepts a list', async () => {
  const file = { field: 'excel', name: 'list.xlsx', content: 'nothing' };
  assert.equal((await api.send('POST /api/sources/stand-in/registry', { token, file })).statusCode, 409);
  assert.equal((await api.send('POST /api/sources/own/registry', { token })).statusCode, 400);
  const bad = await api.send('POST /api/sources/own/registry', { token, file });
  assert.ok([415, 422].includes(bad.statusCode), bad.body);
});

test('only superadmins may use the calls', async () => {
  const { token: standard } = await createUser(api);
  for (const call of [
    'GET /api/sources',
    'POST /api/sources/stand-in/pause',
    'POST /api/sources/stand-in/resume',
  ]) {
    assert.equal((await api.send(call, { token: standard })).statusCode, 403, call);
  }
});

test('the list has the end of a source’s client certificate if the certificate can be read', async () => {
  const { cert } = createAuthority('Stand-in authority').issue('gsx client');
  await writeFile(join(folder, 'client.pem'), cert);
  const entry = { ...gsxAccount, kind: 'gsx', client_key: join(folder, 'client.key') };
  const sources = readSources(
    {
      sources: [
        { ...entry, name: 'gsx', client_cert: join(folder, 'client.pem') },
        { ...entry, name: 'unread', client_cert: join(folder, 'none.pem') },
        { name: 'own', kind: 'registry' },
      ],
    },
    kinds,
    {},
  );
  const listed = await listSources(api.context, sources);
  assert.deepEqual(
    listed.map(({ credentials_end }) => credentials_end),
    [new X509Certificate(cert).validToDate.toISOString(), null, null],
  );
});

test('a list is not replaced when the superadmin’s password changes before the commit', async () => {
  const { db } = api.context;
  const admin = await createUser(api, { superadmin: true });
  const answer = await holdLock(db, ['LOCK TABLE registry_devices IN SHARE MODE', []], async (letGo) => {
    const file = { field: 'excel', name: 'list.xlsx', content: makeWorkbook([serial]) };
    const uploading = api.send('POST /api/sources/own/registry', { token: admin.token, file });
    await waitForWaiting(db, 1);
    const body = { currentPassword: admin.password, newPassword: 'another password' };
    await api.send('POST /api/auth/change-password', { token: admin.token, body });
    await letGo();
    return uploading;
  });
  assert.deepEqual([answer.statusCode, answer.json().code], [401, 'session_ended']);
});
