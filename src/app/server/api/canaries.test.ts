// Plants secrets in every input of users and operators, and searches logs, responses, exports and tables for them.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { createTestApi, type Send, type TestApi } from '#tests/support/api/api.ts';
import { readContracts } from '#tests/support/api/contracts.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { waitFor } from '#tests/support/wait.ts';

const canary = (what: string) => `canary-${what}-7f3a`;
const planted = ['CANARY_KEY', 'SMTP_URL'];

let folder: string;
let api: TestApi;
let admin: TestUser;
let user: TestUser;
const lines: string[] = [];
const answers: string[] = [];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coverdesk-canaries-'));
  Object.assign(process.env, {
    CANARY_KEY: canary('source'),
    SMTP_URL: `smtp://me:${canary('mail')}@127.0.0.1:1`,
  });
  // A file with a secret in clear text.
  const source = `{ "name": "paid", "kind": "http", "label": "Paid service",
    "request": {
      "url": "http://127.0.0.1:1/v1/{serial}",
      "headers": { "authorization": "Bearer \${CANARY_KEY}" }
    },
    "outcomes": [{ "if": "status = 200", "then": "found" }],
    "fields": { "type": "body.model" } }`;
  const file = join(folder, 'sources.json');
  await writeFile(file, `{ "sources": [${source}] }`);
  api = await createTestApi(
    { SOURCES_FILE: file, SMTP_URL: process.env.SMTP_URL ?? '', MAIL_FROM: 'a@example.test' },
    pino({ level: 'trace' }, { write: (line: string) => lines.push(line) }),
  );
  admin = await createUser(api, { superadmin: true });
  user = await createUser(api);
});
after(async () => {
  await api.close();
  await rm(folder, { recursive: true });
  for (const name of planted) delete process.env[name];
});

const call = async (route: string, send: Send = {}) => {
  const answer = await api.send(route, { token: admin.token, ...send });
  answers.push(answer.body);
  return answer;
};

test('planted secrets appear in no log line, answer, export or table', async () => {
  const file = {
    field: 'file',
    name: 'p.txt',
    content: `me:${canary('proxy')}@203.0.113.7:8080\nme:${canary('bad')}@nowhere\n`,
  };
  const bad = { field: 'file', name: 'p.txt', content: `me:${canary('bad')}@nowhere\n` };
  const uploaded = await api.send('POST /api/proxies/upload', { token: admin.token, file });
  assert.equal(uploaded.statusCode, 201);
  // The response of an upload shows the first accepted proxies, but no rejected line.
  assert.doesNotMatch(uploaded.body, new RegExp(canary('bad')));
  await call('POST /api/proxies/upload', { file: bad });
  await call('POST /api/auth/login', { body: { email: user.email, password: canary('guess') } });
  await call('POST /api/auth/login', { body: { email: user.email, password: [canary('guess')] } });
  await call('POST /api/auth/forgot-password', { body: { email: user.email } });
  await call('POST /api/auth/register', {
    body: {
      name: 'New One',
      email: 'new@example.test',
      password: canary('password'),
      superadmin: '0',
      company_code: user.companyCode,
    },
  });
  await call('POST /api/auth/change-password', {
    token: user.token,
    body: { currentPassword: user.password, newPassword: canary('password') },
  });
  await call('POST /api/auth/reset-password', {
    body: { token: canary('token'), newPassword: 'quite another one' },
  });
  await call('POST /api/auth/second-factor', {
    body: { challenge: canary('challenge'), code: canary('code') },
  });
  await call('POST /api/auth/oidc/token', { body: { code: canary('code') } });
  await call(`GET /api/auth/oidc/callback?code=${canary('code')}&state=${canary('state')}`);
  await call(`GET /api/auth/verify-reset-token/${canary('token')}`);
  await call(`GET /api/auth/verify-invitation/${canary('token')}`);
  await call('GET /api/tickets/last', { token: `${canary('a')}.${canary('b')}.${canary('c')}` });
  const tried = await call('POST /api/sources/paid/try', { body: { serial: '490154203237518' } });
  assert.equal(tried.statusCode, 200);
  assert.match(tried.body, /Bearer \*\*\*/);
  await waitFor(
    'the failure of the mail',
    async () => lines.join('').includes('could not be mailed'),
    30_000,
  );
  const { number } = await createTicketWithRows(api, {
    companyCode: user.companyCode,
    createdBy: user.id,
    status: 'Completed',
    rows: [{ state: 'done' }],
  });
  for (const { method, path } of await readContracts()) {
    // Only the list of proxies shows their passwords, to superadmins.
    if (method !== 'GET' || path === '/proxies/sets') continue;
    await call(`GET /api${path.replaceAll(/\{ticket\w*\}/g, number).replaceAll(/\{\w+\}/g, '0')}`);
  }
  await call('GET /api/audit/download?format=json');
  await call('GET /api/openapi.json');
  answers.push((await api.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })).body);

  const { rows: tables } = await api.context.db.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  for (const { name } of tables) {
    const { rows } = await api.context.db.query(`SELECT t::text AS line FROM ${name} AS t`);
    answers.push(`${name}: ${rows.map(({ line }) => line).join('\n')}`);
  }
  assert.ok(lines.length > 20 && answers.length > 40 && tables.length > 10);
  for (const told of [...lines, ...answers]) assert.doesNotMatch(told, /canary-\w+-7f3a/);
});
