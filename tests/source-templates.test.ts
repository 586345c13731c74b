import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Outcome } from '#features/sources/server/configuration/source.ts';
import { readSources } from '#features/sources/server/configuration/sources-file.ts';
import { kinds } from '#features/sources/server/kinds/kinds.ts';
import { createTestDatabase, type TestDatabase } from './support/database/database.ts';
import { openSource } from './support/sources/open-source.ts';
import type { Template, TemplateCase } from './support/sources/template-cases/template-case.ts';
import { templates } from './support/sources/template-cases/templates.ts';
import { type Reply, type StandIn, startStandIn } from './support/sources/vendor-stand-in.ts';

type Entry = {
  name: string;
  kind: string;
  enabled: boolean;
  request: { url: string };
  poll?: { url: string };
};

const file = readFileSync(new URL('../docs/sources/templates.json', import.meta.url), 'utf8');
const { sources: entries } = JSON.parse(file) as { sources: Entry[] };
const httpEntries = entries.filter(({ kind }) => kind === 'http');

let database: TestDatabase;
let service: StandIn;
let reply: Reply;
before(async () => {
  database = await createTestDatabase();
  service = await startStandIn(() => reply);
});
after(async () => {
  await service.close();
  await database.close();
});

test('the file of templates is valid, and all templates are disabled', () => {
  const read = readSources(JSON.parse(file), kinds, {});
  assert.equal(read.length, entries.length);
  for (const { name, enabled } of read) assert.equal(enabled, false, name);
});

test('every template has test cases, and every target uses https', () => {
  assert.deepEqual(httpEntries.map(({ name }) => name).sort(), Object.keys(templates).sort());
  for (const { request, poll } of httpEntries) {
    for (const url of [request.url, poll?.url ?? request.url]) assert.match(url, /^https:\/\//);
  }
});

test('the examples in the guide are valid entries', () => {
  const guide = readFileSync(new URL('../docs/sources.md', import.meta.url), 'utf8');
  const examples = [...guide.matchAll(/```json\n(.*?)```/gs)].map(([, text]) => JSON.parse(text ?? ''));
  const whole = examples.filter((example) => 'kind' in example);
  assert.deepEqual(whole.map(({ kind }) => kind).sort(), kinds.map(({ kind }) => kind).sort());
  readSources({ sources: whole.map((example) => ({ ...example, enabled: false })) }, kinds, {});
});

/** Opens a template, enabled, with a stand-in for its service. */
function pointAt(entry: Entry, url: string): object {
  const move = (target: string) => target.replace(/^https:\/\/[^/]+/, url);
  return {
    ...entry,
    enabled: true,
    request: { ...entry.request, url: move(entry.request.url) },
    ...(entry.poll && { poll: { ...entry.poll, url: move(entry.poll.url) } }),
  };
}

/** Checks the last request to the service. */
function checkRequest({ call, headers, body }: Pick<Template, 'call' | 'headers' | 'body'>): void {
  const request = service.received.at(-1);
  assert.ok(request);
  const query = [...request.query].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  assert.equal(`${request.method} ${request.path}${query && `?${query}`}`, call);
  if (headers) assert.partialDeepStrictEqual(request.headers, headers);
  if (body !== undefined) assert.equal(request.body, body);
}

function checkOutcome(
  outcome: Outcome,
  expected: Pick<TemplateCase, 'outcome' | 'row' | 'retryAfterMs'>,
): void {
  assert.equal(outcome.is, expected.outcome, JSON.stringify(outcome));
  if (expected.retryAfterMs !== undefined)
    assert.partialDeepStrictEqual(outcome, { retryAfterMs: expected.retryAfterMs });
  if (outcome.is !== 'found') return;
  const { type, activation_status, purchase_date, warranty_title, coverage_start_date, coverage_end_date } =
    outcome.coverage;
  assert.deepEqual(
    [type, activation_status, purchase_date, warranty_title, coverage_start_date, coverage_end_date],
    expected.row,
  );
}

for (const entry of httpEntries) {
  const template = templates[entry.name];
  if (!template) continue;
  describe(`template ${entry.name}`, () => {
    for (const [index, expected] of template.cases.entries()) {
      test(`answer ${index + 1}: ${expected.outcome}`, async () => {
        const source = await openSource(pointAt(entry, service.url), database.db, template.env);
        reply = expected.reply;
        const outcome = await source.ask(template.cell);
        checkRequest(template);
        checkOutcome(outcome, expected);
        if (expected.poll) {
          assert.ok(outcome.is === 'pending');
          assert.equal(outcome.poll, expected.poll.id);
          reply = expected.poll.reply;
          const polled = await source.ask(template.cell, { poll: outcome.poll });
          checkRequest({ call: expected.poll.call });
          checkOutcome(polled, expected.poll);
          if (polled.is === 'pending') assert.equal(polled.poll, expected.poll.id);
        }
        await source.close();
      });
    }
  });
}
