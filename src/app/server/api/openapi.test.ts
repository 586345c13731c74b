import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { webhookEvents } from '#features/webhooks/webhook-events.shared.ts';
import { failureStatuses } from '#server/http/open-api/open-api.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { readContracts } from '#tests/support/api/contracts.ts';

type Media = { schema: { $ref?: string; properties?: Record<string, { description?: string }> } };
type Content = Record<string, Media>;
type Operation = {
  operationId?: string;
  parameters?: { name: string; description?: string }[];
  security?: unknown[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};
type Document = {
  openapi: string;
  info: { version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, object> };
};

const firstCalls = [
  ...['signIn', 'changePassword', 'uploadSheet', 'listTickets', 'getTicket', 'getProgress'],
  ...['retryTicket', 'listResults', 'search', 'listSources'],
];

const inRoot = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

let api: TestApi;
let document: Document;

before(async () => {
  api = await createTestApi();
  document = (await api.send('GET /api/openapi.json')).json();
});
after(() => api.close());

test('it is OpenAPI 3.1 and passes the recommended rules of redocly', async () => {
  assert.match(document.openapi, /^3\.1\./);
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-openapi-'));
  try {
    const ignored = '.redocly.lint-ignore.yaml';
    // The ignore file explains why two paths are not ambiguous.
    await copyFile(inRoot(ignored), join(folder, ignored));
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
    const lint = [
      fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js')),
      'lint',
      'openapi.json',
      '--format=json',
    ];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const { stdout } = await promisify(execFile)(process.execPath, lint, { cwd: folder, env });
    assert.deepEqual(JSON.parse(stdout).problems, []);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('it has the version of the product and the server', async () => {
  const { version } = JSON.parse(await readFile(inRoot('package.json'), 'utf8'));
  assert.equal(document.info.version, version);
  assert.deepEqual(
    document.servers.map(({ url }) => url),
    ['/'],
  );
});

test('it has every call of every contract with name, responses, body and access', async () => {
  for (const endpoint of await readContracts()) {
    const { name } = endpoint;
    const operation = document.paths[`/api${endpoint.path}`]?.[endpoint.method.toLowerCase()];
    assert.ok(operation, name);
    assert.equal(operation.operationId, name);
    const statuses = [
      endpoint.status ?? 200,
      ...(endpoint.tagged ? [304] : []),
      ...failureStatuses(endpoint),
    ];
    assert.deepEqual(
      Object.keys(operation.responses).sort(),
      [...new Set(statuses.map(String))].sort(),
      name,
    );
    assert.equal((operation.security ?? []).length, endpoint.access === 'public' ? 0 : 1, name);
    const bodies = Object.keys(operation.requestBody?.content ?? {});
    const expected = endpoint.file ? ['multipart/form-data'] : endpoint.body ? ['application/json'] : [];
    assert.deepEqual(bodies, expected, name);
    assert.equal(endpoint.file, Object.keys(endpoint.form?.shape ?? {})[0], name);
  }
});

const operations = () => Object.values(document.paths).flatMap((methods) => Object.values(methods));

test('it describes every parameter and every form field', () => {
  for (const { operationId, parameters = [], requestBody } of operations()) {
    const form = requestBody?.content['multipart/form-data']?.schema.properties ?? {};
    const fields = Object.entries(form).map(([name, field]) => ({ name, ...field }));
    for (const { name, description } of [...parameters, ...fields]) {
      assert.ok(description, `${operationId} ${name}`);
    }
  }
});

test('every JSON body and response is a named schema, and all failures have the same one', () => {
  for (const { operationId, requestBody, responses } of operations()) {
    const parts: Record<string, { content?: Content }> = { body: requestBody ?? {}, ...responses };
    for (const [status, { content = {} }] of Object.entries(parts)) {
      const named = content['application/json']?.schema.$ref;
      // Files are workbooks, or JSON without a schema.
      if (!content['application/json'] || Object.keys(content).length > 1) continue;
      assert.match(named ?? '', /^#\/components\/schemas\/[A-Z]\w+$/, `${operationId} ${status}`);
      assert.equal(named?.endsWith('/Error'), Number(status) >= 400, `${operationId} ${status}`);
    }
  }
});

test('it has the message of every event of webhooks', () => {
  const names = Object.entries(document.webhooks).map(([event, { post }]) => {
    const named = post.requestBody?.content['application/json']?.schema.$ref ?? '';
    const schema = document.components.schemas[named.replace('#/components/schemas/', '')];
    assert.partialDeepStrictEqual(schema, { properties: { type: { const: event } } });
    return event;
  });
  assert.deepEqual(names.toSorted(), [...webhookEvents, 'webhook.test'].toSorted());
});

test('the most important calls have examples', () => {
  const withExamples = operations().filter(({ requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].some((part) =>
      Object.values(part?.content ?? {}).some((media) => 'example' in media),
    ),
  );
  const names = withExamples.map(({ operationId }) => operationId);
  assert.deepEqual(
    firstCalls.filter((name) => !names.includes(name)),
    [],
  );
  const lists = operations().find(({ operationId }) => operationId === 'importSerials');
  assert.ok('example' in (lists?.requestBody?.content['application/json'] ?? {}), 'importSerials');
});

test('the documentation page loads nothing from other origins', async () => {
  assert.equal((await api.send('GET /api/docs')).headers.location, '/api/docs/');
  const page = await api.send('GET /api/docs/');
  assert.equal(page.statusCode, 200);
  assert.match(page.body, /swagger-ui/);
  assert.doesNotMatch(String(page.headers['content-security-policy']), /https:|upgrade-insecure/);
  for (const [, path = ''] of page.body.matchAll(/(?:src|href)="([^"]+)"/g)) {
    const { pathname } = new URL(path, 'http://localhost/api/docs/');
    assert.equal((await api.send(`GET ${pathname}`)).statusCode, 200, path);
  }
});
