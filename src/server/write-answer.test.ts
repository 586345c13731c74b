import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { readContracts } from '#tests/support/contracts.ts';
import { compileAnswer } from './write-answer.ts';

const writerOf = (schema: z.ZodType) =>
  compileAnswer({ schema, method: 'GET', url: '/', httpStatus: '200' }) as (answer: unknown) => string;

const schema = z.object({
  text: z.string(),
  amount: z.number(),
  whole: z.int(),
  few: z.int().min(1).max(5),
  flag: z.boolean(),
  word: z.enum(['a', 'b']),
  only: z.literal('x'),
  none: z.string().nullable(),
  perhaps: z.object({ inner: z.int() }).optional(),
  list: z.array(z.object({ name: z.string().nullable(), more: z.array(z.int()).optional() })),
  counts: z.record(z.string(), z.int()),
  either: z.union([z.string(), z.int()]),
  anything: z.unknown(),
});

const answer = {
  ...{ text: 'é"\\\n\u2028', amount: 0.1, whole: -5, few: 3, flag: false, word: 'b', only: 'x', none: null },
  list: [{ name: null, more: [1, 2] }, { name: 'n' }],
  ...{ counts: { 'Not found': 2 }, either: 5, anything: { free: [true] } },
};

test('an answer is written as zod would write it, without what its schema does not name', () => {
  const write = writerOf(schema);
  const told = { secret: 's', ...answer, list: answer.list.map((one) => ({ hidden: 1, ...one })) };
  assert.equal(write(told), JSON.stringify(schema.parse(told)));
  assert.equal(write({ ...told, perhaps: { inner: 1, outer: 2 } }).includes('"perhaps":{"inner":1}'), true);
  assert.doesNotMatch(write(told), /secret|hidden/);
});

test('an answer that is otherwise than its schema says fails', () => {
  const write = writerOf(schema);
  const wrong: Record<string, unknown> = {
    ...{
      text: 1,
      amount: Number.NaN,
      whole: 1.5,
      few: 6,
      flag: 'false',
      word: 'c',
      only: 'y',
      none: undefined,
    },
    ...{ perhaps: { inner: '1' }, list: {}, counts: { a: 'b' }, either: null },
  };
  for (const [name, value] of Object.entries(wrong)) {
    assert.throws(() => write({ ...answer, [name]: value }), z.ZodError, name);
    assert.equal(schema.safeParse({ ...answer, [name]: value }).success, false, name);
  }
  for (const value of [null, [], 'x', undefined]) assert.throws(() => write(value), z.ZodError);
});

test('every answer of the API has such a writer', async () => {
  const schemas = (await readContracts()).flatMap(({ response }) =>
    typeof response === 'string' ? [] : [response],
  );
  assert.ok(schemas.length > 30);
  for (const response of schemas) assert.equal(typeof writerOf(response), 'function');
});
