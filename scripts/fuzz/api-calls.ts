import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import { createTestApi, type TestApi } from '#tests/support/api.ts';
import { makeWorkbook } from '#tests/support/make-workbook.ts';
import { type Operation, readOperations } from './operations.ts';
import { type SeedData, seedData } from './seed-data.ts';
import { type Manner, type Schema, valuesFor } from './values.ts';

const manners: Manner[] = ['valid', 'valid', 'near', 'wild'];
/** After so many calls the data is laid anew, since deletions use it up; sooner when a session was ended by a call. */
const callsPerSeed = 1500;
const callsPerSession = 100;
const slowMs = 10_000;
const longestMs = 60_000;

type Call = { url: string; token: string | undefined; body: unknown };

/**
 * Sends calls that the API's own description allows, nearly allows or has never heard of, by callers of every kind.
 * @returns what should not have been: one line for each, with the call that shows it
 */
export async function fuzzCalls(count: number, seed: number): Promise<{ calls: number; found: string[] }> {
  const api = await createTestApi({ UPLOAD_MAX_MB: '5' });
  const found = new Set<string>();
  const statuses = new Map<number, number>();
  try {
    const operations = readOperations((await api.send('GET /api/openapi.json')).json());
    let data = await seedData(api);
    let laid = 0;
    for (let done = 0; done < count; done++) {
      if (done - laid >= callsPerSeed) [data, laid] = [await seedData(api), done];
      const operation = operations[done % operations.length] as Operation;
      const [call] = fc.sample(callsOf(operation, data), { numRuns: 1, seed: seed + done }) as [Call];
      const began = performance.now();
      const answer = await withinTime(send(api, operation, call), `call ${done}: ${call.url}`);
      statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1);
      const faults = [...checkAnswer(operation, answer)];
      if (performance.now() - began > slowMs) faults.push('took over 10 s');
      const ended = answer.statusCode === 401 && data.sessions.includes(call.token);
      if (ended && done - laid >= callsPerSession) [data, laid] = [await seedData(api), done];
      for (const fault of faults) {
        const shown = JSON.stringify(call.body)?.slice(0, 200) ?? '';
        found.add(
          `${operation.method} ${operation.path}: ${fault} [call ${done}: ${call.url.slice(0, 200)} ${shown}]`,
        );
      }
    }
  } finally {
    await api.close();
  }
  console.log(
    [...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, times]) => `${status} × ${times}`)
      .join(', '),
  );
  return { calls: count, found: [...found] };
}

/** What is wrong with an answer, whatever was asked. */
function* checkAnswer({ success, failure }: Operation, answer: LightMyRequestResponse): Generator<string> {
  const { statusCode, headers, body } = answer;
  if (statusCode >= 500) yield `answers ${statusCode}: ${body.slice(0, 200)}`;
  if (/ at .+\.ts:\d+|node_modules|SELECT .* FROM/.test(body))
    yield `shows its insides: ${body.slice(0, 200)}`;
  if (statusCode >= 400) {
    const parsed = failure.safeParse(parse(body));
    if (!parsed.success) yield `fails in a shape of its own (${statusCode}): ${body.slice(0, 200)}`;
  } else if (statusCode !== success.status) {
    yield `answers ${statusCode}, which its description does not name`;
  } else if (success.schema && String(headers['content-type']).startsWith('application/json')) {
    const parsed = success.schema.safeParse(parse(body));
    if (!parsed.success) yield `answers otherwise than described: ${parsed.error.message.slice(0, 300)}`;
  }
}

function callsOf(operation: Operation, { callers, known }: SeedData): fc.Arbitrary<Call> {
  return fc.constantFrom(...manners).chain((manner) => {
    const values = operation.parameters.map(({ name, required, schema, in: place }) => {
      const value = valuesFor(schema, manner, known[name]);
      const given = required || place === 'path' ? value : fc.option(value, { freq: 2 });
      return given.map((value) => ({ name, place, value }));
    });
    const body = operation.body ? bodyOf(operation.body.schema, manner, known) : fc.constant(undefined);
    return fc
      .record({ values: fc.tuple(...values), token: fc.constantFrom(...callers), body })
      .map((call) => ({ url: urlOf(operation.path, call.values), token: call.token, body: call.body }));
  });
}

function bodyOf(schema: Schema, manner: Manner, known: SeedData['known']): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => [name, valuesFor(field, manner, known[name])] as const,
  );
  const record = fc.record(Object.fromEntries(fields), {
    requiredKeys: manner === 'valid' ? (schema.required ?? []) : [],
  });
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

function send(
  api: TestApi,
  operation: Operation,
  { url, token, body }: Call,
): Promise<LightMyRequestResponse> {
  const call = `${operation.method} ${url}`;
  if (operation.body?.type === 'multipart') {
    const text = typeof body === 'object' && body !== null ? JSON.stringify(body) : String(body);
    const [field = 'file'] = Object.keys(operation.body.schema.properties ?? {});
    const content =
      text.length % 2 === 0 ? makeWorkbook(['IMEI', '356938035643809', text.slice(0, 300)]) : text;
    return api.send(call, {
      token,
      file: { field, name: text.slice(0, 80).replace(/["\r\n]/g, ''), content },
    });
  }
  // A text that stands for a body is sent as it is, so that bodies that are not JSON come too.
  const headers: Record<string, string> =
    typeof body === 'string' ? { 'content-type': 'application/json' } : {};
  return api.send(call, { token, headers, body: body ?? undefined });
}

/** @throws where there is no answer for so long that none will come */
async function withinTime<T>(answer: Promise<T>, call: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer in ${longestMs} ms to ${call}`)), longestMs);
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer));
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
