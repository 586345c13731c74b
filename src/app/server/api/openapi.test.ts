import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { createTestApi, type TestApi } from '#tests/support/api.ts';
import { readContracts } from '#tests/support/contracts.ts';

type Operation = {
  security?: unknown[];
  requestBody?: { content: object };
  responses: Record<string, object>;
};
type Document = { openapi: string; paths: Record<string, Record<string, Operation>> };

let api: TestApi;
let document: Document;

before(async () => {
  api = await createTestApi();
  document = (await api.send('GET /api/openapi.json')).json();
});
after(() => api.close());

test('the document is valid OpenAPI 3.1', async () => {
  assert.match(document.openapi, /^3\.1\./);
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  assert.equal(valid, true, JSON.stringify(errors));
});

test('every call of every contract is in it, with its answer, its body and who may call', async () => {
  for (const endpoint of await readContracts()) {
    const name = `${endpoint.method} ${endpoint.path}`;
    const operation = document.paths[`/api${endpoint.path}`]?.[endpoint.method.toLowerCase()];
    assert.ok(operation, name);
    assert.ok(Object.hasOwn(operation.responses, String(endpoint.status ?? 200)), name);
    assert.equal((operation.security ?? []).length, endpoint.access === 'public' ? 0 : 1, name);
    assert.equal(Object.hasOwn(operation.responses, '304'), endpoint.tagged !== undefined, name);
    const bodies = Object.keys(operation.requestBody?.content ?? {});
    const expected = endpoint.file ? ['multipart/form-data'] : endpoint.body ? ['application/json'] : [];
    assert.deepEqual(bodies, expected, name);
  }
});

test('the documentation page shows it, with nothing from elsewhere', async () => {
  const page = await api.send('GET /api/docs/');
  assert.equal(page.statusCode, 200);
  assert.match(page.body, /swagger-ui/);
  assert.doesNotMatch(String(page.headers['content-security-policy']), /https:|upgrade-insecure/);
  for (const [, path = ''] of page.body.matchAll(/(?:src|href)="([^"]+)"/g)) {
    const { pathname } = new URL(path, 'http://localhost/api/docs/');
    assert.equal((await api.send(`GET ${pathname}`)).statusCode, 200, path);
  }
});
