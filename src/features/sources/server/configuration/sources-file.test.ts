import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError } from '#server/runtime/config.ts';
import { kinds } from '../kinds/kinds.ts';
import { loadSources, readSources } from './sources-file.ts';

/** The example of the specification. */
const acme = {
  name: 'acme',
  label: 'Acme device check',
  kind: 'http',
  accepts: ['imei', 'serial', 'meid'],
  egress: 'direct',
  request: {
    method: 'GET',
    url: 'https://api.acme.example/v1/coverage/{serial}',
    query: { lang: 'en' },
    headers: { Authorization: 'Bearer ${ACME_TOKEN}' },
    timeout_ms: 10000,
  },
  outcomes: [{ if: 'status = 200 and body.code = 0', then: 'found' }],
  fields: { type: 'body.product.name', purchase_date: 'body.purchase.date' },
  limits: { per_second: 50, concurrency: 32, per_proxy_per_second: 2, per_proxy_concurrency: 1 },
  attempts: 5,
};
const env = { ACME_TOKEN: 'top-secret', BLANK: ' ' };

function problemsOf(document: unknown): string[] {
  try {
    readSources(document, kinds, env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message.split('\n');
  }
}

test('reads the documented example, and adds defaults', () => {
  const [entry] = readSources({ sources: [acme] }, kinds, env);
  assert.equal(entry?.label, 'Acme device check');
  assert.deepEqual(entry?.limits, acme.limits);
  const { label: _, accepts, egress, limits, attempts, ...least } = acme;
  const [plain] = readSources({ sources: [least] }, kinds, env);
  assert.equal(plain?.label, 'acme');
  assert.deepEqual(plain?.accepts, ['imei', 'meid', 'serial']);
  assert.deepEqual([plain?.egress, plain?.limits, plain?.attempts, plain?.enabled], ['direct', {}, 5, true]);
  assert.deepEqual([accepts.length, egress, attempts, limits.per_second], [3, 'direct', 5, 50]);
});

test('the state key depends on the settings that change answers, and on no secret', () => {
  const keyOf = (entry: object, token = 'x') =>
    readSources({ sources: [entry] }, kinds, { ACME_TOKEN: token })[0]?.key;
  assert.equal(keyOf(acme), keyOf({ ...acme, label: 'Other', limits: {}, attempts: 2 }, 'y'));
  assert.notEqual(keyOf(acme), keyOf({ ...acme, name: 'other' }));
  assert.notEqual(keyOf(acme), keyOf({ ...acme, fields: { type: 'body.model' } }));
});

test('the cache key depends on the request with its variables, and on the mapping of answers', () => {
  const material = { env, timezone: 'Asia/Jakarta', secret: 'known to workers' };
  const keyOf = (entry: object, more: object = {}) =>
    readSources({ sources: [entry] }, kinds, env, { ...material, ...more })[0]?.cacheKey;
  const { kind, request, outcomes, fields } = acme;
  assert.equal(keyOf(acme), keyOf({ name: 'acme', kind, request, outcomes, fields }));
  assert.notEqual(keyOf(acme), keyOf({ ...acme, name: 'other' }));
  assert.notEqual(keyOf(acme), keyOf(acme, { env: { ACME_TOKEN: 'another' } }));
  assert.notEqual(keyOf(acme), keyOf({ ...acme, fields: { type: 'body.model' } }));
  assert.notEqual(keyOf(acme), keyOf(acme, { timezone: 'UTC' }));
  // Without it, a reader of the database could guess values until a key matches.
  assert.notEqual(keyOf(acme), keyOf(acme, { secret: 'another' }));
});

test('the cache key depends on SECRETS_KEY, even if DATABASE_URL has no password', async () => {
  const config = {
    SOURCES_FILE: undefined,
    APP_TIMEZONE: 'UTC',
    DATABASE_URL: 'postgres://coverdesk@db/coverdesk',
  };
  const keyOf = async (key: string) => (await loadSources(config, kinds, { SECRETS_KEY: key }))[0]?.cacheKey;
  assert.notEqual(await keyOf('a'.repeat(32)), await keyOf('b'.repeat(32)));
});

test('the message of a mistake names its path', () => {
  const wrong: [unknown, RegExp][] = [
    [{}, /^SOURCES_FILE sources: takes a list/],
    [{ sources: [{ ...acme, kind: 'telepathy' }] }, /^SOURCES_FILE sources\[0\]\.kind: takes one of .*http/],
    [{ sources: [acme, acme] }, /^SOURCES_FILE sources\[1\]\.name: acme is used twice/],
    [{ sources: [{ ...acme, speed: 3 }] }, /sources\[0\]\.speed: is not a setting/],
    [{ sources: [{ ...acme, limits: { per_second: 0 } }] }, /sources\[0\]\.limits\.per_second: /],
    [
      { sources: [{ ...acme, fields: { type: 'body.' } }] },
      /sources\[0\]\.fields\.type: takes a JSONata expression: .* \(position 5, token "\(end\)"\)/,
    ],
    [
      { sources: [{ ...acme, outcomes: [{ if: 'true', then: 'perhaps' }] }] },
      /sources\[0\]\.outcomes\[0\]\.then: /,
    ],
    [{ sources: [{ ...acme, outcomes: [{ if: 'true', then: 'pending' }] }] }, /sources\[0\]\.poll: /],
    [
      { sources: [{ ...acme, request: { ...acme.request, headers: { 'X-Key': '${NO_SUCH}' } } }] },
      /sources\[0\]\.request\.headers\.X-Key: NO_SUCH is not set in the environment, or is empty/,
    ],
    [
      { sources: [{ ...acme, request: { ...acme.request, headers: { 'X-Key': '${BLANK}' } } }] },
      /sources\[0\]\.request\.headers\.X-Key: BLANK is not set in the environment, or is empty/,
    ],
  ];
  for (const [document, problem] of wrong) assert.match(problemsOf(document).join('\n'), problem);
});

test('a request without the device’s identifier is refused with its path', () => {
  const url = 'https://a.example/coverage';
  const withRequest = (request: object, more: object = {}) =>
    problemsOf({ sources: [{ ...acme, ...more, request }] });
  for (const request of [
    { url: `${url}/{serial}` },
    { url: `${url}?q={serial}` },
    { url, query: { q: 'imei:{serial}' } },
    { url, method: 'POST', json: { devices: [{ imei: '{serial}' }] } },
    { url, method: 'POST', json: { devices: { '{serial}': {} } } },
    { url, method: 'POST', form: { imei: '{serial}' } },
  ]) {
    assert.deepEqual(withRequest(request), [], JSON.stringify(request));
  }
  const nameless =
    /^SOURCES_FILE sources\[0\]\.request: .*\{serial\} in url, query, json or form; in a header alone it does not/m;
  for (const request of [
    { url },
    { url: `${url}#{serial}` },
    { url, query: { q: 'serial' } },
    { url, headers: { 'X-Device': '{serial}' } },
    { url, query: { '{serial}': 'q' } },
    // A variable of the environment, not the device.
    { url, query: { q: '${serial}' } },
    { url, method: 'POST', json: { imei: 'serial' } },
  ]) {
    assert.match(withRequest(request).join('\n'), nameless, JSON.stringify(request));
  }
  const poll = { url: 'https://a.example/orders', id: 'body.order' };
  assert.match(
    withRequest({ url: `${url}/{serial}` }, { poll }).join(),
    /sources\[0\]\.poll\.url: takes \{id\} or \{serial\}/,
  );
});

test('an unknown placeholder is refused with its path, and other braces are kept', () => {
  const url = 'https://a.example/{serial}';
  const pathsOf = (request: object, more: object = {}) =>
    problemsOf({ sources: [{ ...acme, ...more, request: { url, ...request } }] }).map(
      (problem) => /^SOURCES_FILE sources\[0\]\.(\S+): .*\{\w+\}/.exec(problem)?.[1],
    );
  assert.deepEqual(pathsOf({ url: `${url}/{imei}` }), ['request.url']);
  assert.deepEqual(pathsOf({ url: `${url}/{id}` }), ['request.url']);
  assert.deepEqual(pathsOf({ query: { key: '{token}' } }), ['request.query.key']);
  assert.deepEqual(pathsOf({ query: { '{token}': 'key' } }), ['request.query.{token}']);
  assert.deepEqual(pathsOf({ headers: { 'X-Key': '{token}' } }), ['request.headers.X-Key']);
  assert.deepEqual(pathsOf({ headers: { 'X-Device': '{serial}' } }), ['request.headers.X-Device']);
  const post = { method: 'POST' };
  assert.deepEqual(pathsOf({ ...post, form: { imei: '{IMEI}' } }), ['request.form.imei']);
  assert.deepEqual(pathsOf({ ...post, json: { list: [{ a: 1 }, { imei: '{imei}' }] } }), [
    'request.json.list[1].imei',
  ]);
  const polled = (text: string) => ({ poll: { url: text, id: 'body.order' } });
  assert.deepEqual(pathsOf({}, polled('https://a.example/{id}/{order}')), ['poll.url']);
  assert.deepEqual(pathsOf({}, polled('https://a.example/{id}/{serial}')), []);
  const text = '{"imei": "{serial}", "fields": {}, "query": "query { brand }", "a": {"b": 1}}';
  assert.deepEqual(pathsOf({ ...post, json: { text }, headers: { 'X-Key': '${ACME_TOKEN}' } }), []);
});

test('a target must use https, or http on loopback, and have a literal host', () => {
  const withUrl = (url: string) => problemsOf({ sources: [{ ...acme, request: { ...acme.request, url } }] });
  for (const url of [
    'https://a.example/{serial}',
    'http://127.0.0.1:9/{serial}',
    'http://localhost/{serial}',
    'http://[::1]:80/?q={serial}',
  ]) {
    assert.deepEqual(withUrl(url), [], url);
  }
  const refused = [
    ...['http://a.example/', 'http://10.0.0.1/', 'ftp://127.0.0.1/', 'https://{serial}.example/', 'nonsense'],
    ...['https://${ACME_TOKEN}/', 'https://user:password@a.example/', 'http://127.0.0.1.example/'],
  ];
  for (const url of refused) assert.match(withUrl(url).join(), /sources\[0\]\.request\.url: takes /, url);
});

test('a disabled entry needs no secrets', () => {
  const document = { sources: [{ ...acme, enabled: false }] };
  assert.equal(readSources(document, kinds, {})[0]?.enabled, false);
});
