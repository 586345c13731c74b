import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { openSource } from '#tests/support/sources/open-source.ts';
import { type Reply, type StandIn, startStandIn } from '#tests/support/sources/vendor-stand-in.ts';
import type { Outcome } from '../configuration/source.ts';

const imei = '353901102345677';
const secret = 'k€y/with space';

let database: TestDatabase;
let standIn: StandIn;
let reply: Reply;
before(async () => {
  [database, standIn] = await Promise.all([createTestDatabase(), startStandIn(() => reply)]);
});
beforeEach(() => {
  reply = { body: {} };
});
after(async () => {
  await standIn.close();
  await database.close();
});

type Entry = { time_zone?: string; request?: object; fields?: object; outcomes?: object[]; poll?: object };

async function ask(entry: Entry, more: { poll?: string } = {}): Promise<Outcome> {
  const { request, ...rest } = entry;
  const url = `${standIn.url}/v1/devices/{serial}`;
  const source = await openSource(
    { name: 'acme', kind: 'http', request: { url, ...request }, fields: {}, ...rest },
    database.db,
    { ACME_KEY: secret },
  );
  try {
    return await source.ask(imei, more);
  } finally {
    await source.close();
  }
}

test('the status decides the outcome of a response that no rule matches', async () => {
  const statuses: [number, Outcome['is']][] = [
    ...([200, 201, 204].map((status) => [status, status === 204 ? 'retry' : 'found']) as [
      number,
      Outcome['is'],
    ][]),
    ...([301, 302, 304].map((status) => [status, 'retry']) as [number, Outcome['is']][]),
    ...([400, 405, 410, 422].map((status) => [status, 'invalid']) as [number, Outcome['is']][]),
    ...([408, 425, 429].map((status) => [status, 'throttled']) as [number, Outcome['is']][]),
    ...([401, 403].map((status) => [status, 'auth']) as [number, Outcome['is']][]),
    ...([500, 502, 503, 504].map((status) => [status, 'retry']) as [number, Outcome['is']][]),
    [402, 'quota'],
    [404, 'not_found'],
  ];
  for (const [status, is] of statuses) {
    reply = { status, body: {} };
    assert.equal((await ask({})).is, is, String(status));
    // Only a found answer must be JSON.
    reply = { status, body: '<html>' };
    assert.equal((await ask({})).is, is === 'found' ? 'retry' : is, `${status} with a page`);
  }
});

test('the first matching rule decides, but a response that is not JSON is never `found`', async () => {
  const outcomes = [
    { if: 'body.code = 404', then: 'not_found' },
    { if: 'body.code in [401, 402]', then: 'quota' },
    { if: 'body.code > 500', then: 'throttled' },
    { if: 'status = 418', then: 'found' },
    { if: '$lowercase(body.error) = "bad"', then: 'invalid' },
    { if: 'body.list[0] = "busy"', then: 'retry' },
  ];
  const answers: [Reply, Outcome['is']][] = [
    [{ body: { code: 404 } }, 'not_found'],
    [{ body: { code: 402 } }, 'quota'],
    [{ body: { code: 503 } }, 'throttled'],
    [{ status: 418, body: {} }, 'found'],
    [{ status: 418, body: 'no JSON' }, 'retry'],
    [{ body: { error: 'BAD' } }, 'invalid'],
    [{ body: { list: ['busy'] } }, 'retry'],
    // Comparing a text with a number fails, so the rule does not apply.
    [{ body: { code: 'x' } }, 'found'],
  ];
  for (const [answer, is] of answers) {
    reply = answer;
    assert.equal((await ask({ outcomes })).is, is, JSON.stringify(answer));
  }
});

test('the wait comes from Retry-After', async () => {
  reply = { status: 429, headers: { 'retry-after': '7' }, body: {} };
  assert.deepEqual(await ask({}), { is: 'throttled', error: 'HTTP 429', retryAfterMs: 7000 });
  reply = { status: 429, body: {} };
  assert.deepEqual(await ask({}), { is: 'throttled', error: 'HTTP 429', retryAfterMs: null });
});

test('days are those of the time zone of the entry', async () => {
  reply = { body: { end: '2026-02-02T03:00:00Z' } };
  const fields = { coverage_end_date: 'body.end' };
  for (const [time_zone, day] of [
    [undefined, '2026-02-02'],
    ['America/Los_Angeles', '2026-02-01'],
  ]) {
    const outcome = await ask({ fields, ...(time_zone && { time_zone }) });
    assert.equal(outcome.is === 'found' && outcome.coverage.coverage_end_date, day);
  }
  await assert.rejects(ask({ time_zone: 'Mars/Olympus' }), /time_zone/);
});

test('an answer that takes too long or too many steps to read is a retry with that reason', async () => {
  const list = Array.from({ length: 12_000 }, (_, index) => ({ d: `2026-01-${index % 30}` }));
  reply = { body: { e: list } };
  const startedAt = performance.now();
  const outcome = await ask({
    fields: { purchase_date: 'body.e^(>d)[0].d', coverage_end_date: 'body.e^(>d)[0].d' },
  });
  assert.deepEqual(outcome, { is: 'retry', error: 'reading the answer took more than 250 ms' });
  assert.ok(performance.now() - startedAt < 30_000);
  const slow = await ask({ fields: { type: '$replace("aaaaaaaaaaaaaaaaaaaaaaaaaa!", /(a+)+$/, "")' } });
  assert.deepEqual(slow, { is: 'retry', error: 'reading the answer took more than 250 ms' });
  const deep = '($f := function($n) { $n = 0 ? 0 : 1 + $f($n - 1) }; $f(100000))';
  for (const entry of [{ fields: { type: deep } }, { outcomes: [{ if: `${deep} = 1`, then: 'found' }] }]) {
    const { error } = (await ask(entry)) as { error: string };
    assert.match(error, /^reading the answer took (more than 250 ms|too many steps)$/);
  }
});

test('fields are mapped from the answer, and missing ones stay unknown', async () => {
  reply = {
    body: {
      name: ' Phone\u000012 ',
      on: 'ACTIVATED',
      bought: 1704474000,
      plan: { to: '31/12/2026' },
      from: 'soon',
    },
  };
  const fields = {
    type: 'body.name',
    activation_status: 'body.on',
    purchase_date: 'body.bought',
    warranty_title: 'body.plan',
    coverage_start_date: 'body.from',
    coverage_end_date: 'body.plan.to',
  };
  assert.deepEqual(await ask({ fields }), {
    is: 'found',
    coverage: {
      type: 'Phone 12',
      activation_status: 'activated',
      purchase_date: '2024-01-06',
      warranty_title: null,
      coverage_start_date: null,
      coverage_end_date: '2026-12-31',
    },
  });
});

test('serials and secrets are percent-encoded in URLs and forms, and unchanged elsewhere', async () => {
  const lastRequest = () => standIn.received.at(-1);
  await ask({
    request: {
      url: `${standIn.url}/v1/{serial}?k=\${ACME_KEY}`,
      query: { imei: 'a {serial}', key: '${ACME_KEY}' },
      headers: { 'X-Plan': 'plan 1' },
    },
  });
  assert.deepEqual(
    [
      lastRequest()?.path,
      lastRequest()?.query.get('k'),
      lastRequest()?.query.get('imei'),
      lastRequest()?.query.get('key'),
    ],
    [`/v1/${imei}`, secret, `a ${imei}`, secret],
  );
  assert.equal(lastRequest()?.headers['x-plan'], 'plan 1');
  await ask({
    request: { method: 'POST', json: { device: { id: 'id:{serial}' }, key: '${ACME_KEY}', n: 1 } },
  });
  assert.deepEqual(JSON.parse(lastRequest()?.body ?? ''), {
    device: { id: `id:${imei}` },
    key: secret,
    n: 1,
  });
  assert.equal(lastRequest()?.headers['content-type'], 'application/json');
  await ask({ request: { method: 'POST', form: { imei: '{serial}', key: '${ACME_KEY}' } } });
  assert.deepEqual(Object.fromEntries(new URLSearchParams(lastRequest()?.body)), { imei, key: secret });
});

test('a pending answer has the id to poll for', async () => {
  const outcomes = [{ if: 'status = 202', then: 'pending' }];
  const poll = { url: `${standIn.url}/v1/orders/{id}`, id: 'body.order', every_ms: 50, max: 3 };
  reply = { status: 202, body: { order: 'a b/1' } };
  assert.deepEqual(await ask({ outcomes, poll }), { is: 'pending', poll: 'a b/1', afterMs: 50, max: 3 });
  reply = { body: {} };
  assert.equal((await ask({ outcomes, poll }, { poll: 'a b/1' })).is, 'found');
  assert.equal(standIn.received.at(-1)?.path, '/v1/orders/a%20b%2F1');
});
