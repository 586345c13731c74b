import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { z } from 'zod';
import { endpoint } from '#shared/endpoint.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { route } from './route.ts';

const lines: string[] = [];
let api: TestApi;

const user = z.object({ name: z.string() });
const list = endpoint({
  route: 'GET /made-for-this-test',
  access: 'public',
  summary: 'Users with more columns than are answered',
  response: z.object({ users: z.array(user) }),
});
const broken = endpoint({
  route: 'POST /made-for-this-test',
  access: 'public',
  summary: 'Takes a name, and fails',
  body: user,
  response: user,
});

let taken: object | undefined;

before(async () => {
  api = await createTestApi({}, pino({ level: 'info' }, { write: (line: string) => lines.push(line) }));
  const row = { name: 'Ayu', password_hash: 'kept inside' };
  route(api.app, { list }, 'list', async () => ({ users: [row] }));
  route(api.app, { broken }, 'broken', async ({ body }) => {
    taken = body;
    throw new Error('relation "kept_inside" does not exist');
  });
});
after(() => api.close());

test('a response has only the fields of its contract', async () => {
  const answer = await api.send('GET /api/made-for-this-test');
  assert.deepEqual(answer.json(), { users: [{ name: 'Ayu' }] });
});

test('a handler gets only the fields of its contract', async () => {
  await api.send('POST /api/made-for-this-test', { body: { name: 'Ayu', superadmin: '1' } });
  assert.deepEqual(taken, { name: 'Ayu' });
});

test('an unexpected error is answered with a general message, and logged', async () => {
  lines.length = 0;
  const answer = await api.send('POST /api/made-for-this-test', { body: { name: 'Ayu' } });
  assert.equal(answer.statusCode, 500);
  assert.deepEqual(Object.keys(answer.json()).toSorted(), ['code', 'error', 'message']);
  assert.equal(answer.json().code, 'internal');
  assert.doesNotMatch(answer.body, /kept_inside|route\.test/);
  assert.match(lines.join(''), /kept_inside.*route\.test/);
});
