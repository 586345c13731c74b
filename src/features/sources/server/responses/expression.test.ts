import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import fc from 'fast-check';
import jsonata from 'jsonata';
import { compileExpression, holds } from './expression.ts';

const names = fc.constantFrom('status', 'body', 'code', 'a', 'b', 'constructor', '__proto__');
const literals = fc.oneof(
  fc.constantFrom('null', 'true', 'false', '0', '200', '404', "''", "'activated'", "'200'"),
  fc.integer({ min: 0, max: 600 }).map(String),
);
const paths = fc.array(names, { minLength: 1, maxLength: 3 }).map((steps) => steps.join('.'));
const { expression } = fc.letrec((tie) => ({
  atom: fc.oneof(paths, literals),
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('atom'),
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom('=', '!=', '<', '<=', '>', '>=', 'and', 'or', 'in'),
        tie('expression'),
      )
      .map(([left, operator, right]) => `(${left}) ${operator} (${right})`),
    fc
      .tuple(tie('atom'), fc.array(literals, { minLength: 0, maxLength: 4 }))
      .map(([item, list]) => `${item} in [${list.join(', ')}]`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([a, b, c]) => `${a} ? ${b} : (${c})`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a} ? ${b})`),
    tie('expression').map((inner) => `$exists(${inner})`),
  ),
}));
const values: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, false, 0, 200, 404, '', '200', 'activated', {}, []),
  fc.integer({ min: 0, max: 600 }),
);
const documents = fc.record({
  status: fc.constantFrom(200, 404, 429),
  headers: fc.constant({}),
  body: fc.oneof(
    values,
    fc.dictionary(names, fc.oneof(values, fc.dictionary(names, values), fc.array(values, { maxLength: 3 }))),
  ),
});

async function outcomeOf(work: () => unknown): Promise<unknown> {
  try {
    // JSONata adds properties to its result lists.
    return { json: JSON.stringify(await work()) };
  } catch (error) {
    return { code: (error as { code?: string }).code };
  }
}

test('gives the same results and errors as JSONata', async () => {
  await fc.assert(
    fc.asyncProperty(expression as fc.Arbitrary<string>, documents, async (text, document) => {
      const expected = await outcomeOf(() => jsonata(text).evaluate(document));
      assert.deepEqual(await outcomeOf(() => compileExpression(text)(document)), expected, text);
    }),
    { numRuns: 3000 },
  );
});

test('JSONata evaluates lists and functions', async () => {
  const document = {
    status: 200,
    headers: {},
    body: { plans: [{ end: '2025-01-01' }, { end: '2026-01-01' }] },
  };
  assert.equal(await compileExpression('body.plans[1].end')(document), '2026-01-01');
  assert.equal(await compileExpression('$max(body.plans.end.$toMillis())')(document), Date.UTC(2026, 0, 1));
  assert.throws(() => compileExpression('body.'));
});

test('a rule applies if JSONata’s value is truthy', () => {
  for (const value of [undefined, null, false, 0, '', [], {}, [0]]) assert.equal(holds(value), false);
  for (const value of [true, 1, 'x', [0, 1], { a: 0 }]) assert.equal(holds(value), true);
});

test('the documented expressions choose the coverage that ends last, and format a date', async () => {
  const page = await readFile(new URL('../../../../../docs/sources.md', import.meta.url), 'utf8');
  const read = (text: string, body: object) => {
    assert.ok(page.includes(`\`${text}\``), text);
    return compileExpression(text)({ status: 200, headers: {}, body });
  };
  const coverages = [
    { title: 'Limited', end: '2025-01-03' },
    { title: 'Plus', end: '2027-01-02' },
    { title: 'For life' },
    { title: 'Contract', end: '2026-12-31' },
  ];
  assert.equal(await read('body.coverages[end]^(>end)[0].end', { coverages }), '2027-01-02');
  assert.equal(await read('body.coverages[end]^(>end)[0].title', { coverages }), 'Plus');
  assert.equal(await read('body.coverages[end]^(>end)[0].title', { coverages: [coverages[2]] }), undefined);
  assert.equal(await read('body.coverages[end]^(>end)[0].title', { coverages: coverages[0] }), 'Limited');
  assert.equal(await read('$replace(body.purchase, ".", "-")', { purchase: '2024.12.16' }), '2024-12-16');
});
