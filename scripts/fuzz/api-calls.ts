import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { type Operation, readOperations } from './operations.ts';
import type { Runs } from './runs.ts';
import { type SeedData, seedData } from './seed-data.ts';
import { type Manner, recordOf, type Schema, valuesFor } from './values.ts';

const manners = fc.constantFrom<Manner[]>('valid', 'valid', 'near', 'wild');
/** The data is seeded again after this many calls, because deletions and ended sessions use it up. */
const callsPerSeed = 200;
/** No answer within this time is a fault, in ms. */
const timeout = 10_000;

type Call = { operation: Operation; url: string; token: string | undefined; body: unknown };

/**
 * Sends calls that the OpenAPI document allows, nearly allows or does not know, from callers of every kind. Each answer
 * must match the document.
 */
export async function fuzzCalls(runs: Runs): Promise<fc.RunDetails<[Call]>> {
  const api = await createTestApi({ MAX_UPLOAD_MB: '5' });
  const statuses = new Map<number, number>();
  try {
    const operations = readOperations((await api.send('GET /api/openapi.json')).json());
    let { numRuns: left, seed } = runs;
    for (;;) {
      const data = await seedData(api);
      const calls = fc.oneof(...operations.map((operation) => callsOf(operation, data)));
      const property = fc.asyncProperty(calls, async (call) => {
        const answer = await send(api, call);
        statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1);
        checkAnswer(call.operation, answer);
      });
      const numRuns = Math.min(left, callsPerSeed);
      const details = await fc.check(property, { numRuns, timeout, ...(seed !== undefined && { seed }) });
      left -= numRuns;
      if (details.failed || left === 0) return details;
      seed = details.seed + 1;
    }
  } finally {
    await api.close();
    for (const [status, times] of [...statuses].sort(([a], [b]) => a - b))
      console.log(`${status}: ${times} answers`);
  }
}

/** @throws AssertionError for an answer that is wrong for any call */
function checkAnswer({ success, failure }: Operation, answer: LightMyRequestResponse): void {
  const { statusCode, headers, body } = answer;
  assert.ok(statusCode < 500, `answers ${statusCode}: ${body}`);
  assert.doesNotMatch(body, / at .+\.ts:\d+|node_modules|SELECT .* FROM/, 'shows internal details');
  if (statusCode >= 400) return void failure.parse(JSON.parse(body));
  assert.equal(statusCode, success.status, 'a status that the document does not name');
  const isJson = String(headers['content-type']).startsWith('application/json');
  if (success.schema && isJson) success.schema.parse(JSON.parse(body));
}

function callsOf(operation: Operation, { callers, known }: SeedData): fc.Arbitrary<Call> {
  return manners.chain((manner) => {
    const values = operation.parameters.map(({ name, required, schema, in: place }) => {
      const value = valuesFor(schema, manner, known[name]);
      const given = required || place === 'path' ? value : fc.option(value, { freq: 2 });
      return given.map((value) => ({ name, place, value }));
    });
    const body = operation.body ? bodyOf(operation.body.schema, manner, known) : fc.constant(undefined);
    return fc.tuple(fc.tuple(...values), fc.constantFrom(...callers), body).map(([placed, token, sent]) => {
      const url = urlOf(operation.path, placed);
      const shown = () => `${operation.method} ${url} ${JSON.stringify(sent) ?? ''}`;
      return { operation, url, token, body: sent, [fc.toStringMethod]: shown };
    });
  });
}

function bodyOf(schema: Schema, manner: Manner, known: SeedData['known']): fc.Arbitrary<unknown> {
  const makeValue = (field: Schema, name: string) => valuesFor(field, manner, known[name]);
  const required = manner === 'valid' ? (schema.required ?? []) : [];
  const record = recordOf(schema.properties ?? {}, makeValue, required);
  return manner === 'wild' ? fc.oneof(record, valuesFor(schema, 'wild')) : record;
}

type Placed = { name: string; place: 'path' | 'query'; value: unknown };

function urlOf(path: string, values: readonly Placed[]): string {
  let url = path;
  const query = new URLSearchParams();
  for (const { name, place, value } of values) {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(text.toWellFormed()) || '%20');
    else if (value !== null) query.append(name, text);
  }
  return query.size > 0 ? `${url}?${query}` : url;
}

function send(api: TestApi, { operation, url, token, body }: Call): Promise<LightMyRequestResponse> {
  const call = `${operation.method} ${url}`;
  if (operation.body?.type === 'multipart') {
    const text = String(typeof body === 'object' ? JSON.stringify(body) : body);
    const [field = 'file'] = Object.keys(operation.body.schema.properties ?? {});
    const isSheet = text.length % 2 === 0;
    const content = isSheet ? makeWorkbook(['IMEI', '356938035643809', text.slice(0, 300)]) : text;
    const name = text.slice(0, 80).replace(/["\r\n]/g, '');
    return api.send(call, { token, file: { field, name, content } });
  }
  // A text is sent as it is, so that some bodies are not JSON.
  const headers = { 'content-type': 'application/json' };
  return api.send(call, { token, body: body ?? undefined, ...(typeof body === 'string' && { headers }) });
}
