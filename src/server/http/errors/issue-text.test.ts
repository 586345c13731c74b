import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { hasZodFastifySchemaValidationErrors, validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { describeIssue } from './issue-text.ts';

const body = z.object({
  text: z.string().min(3).max(5).default('four'),
  name: z.string().min(1).default('Ayu'),
  count: z.int().min(2).max(9).default(5),
  price: z.number().positive().default(1),
  status: z.enum(['on', 'off']).default('on'),
  flag: z.boolean().default(true),
  digits: z.string().regex(/^\d+$/).default('1'),
  list: z.array(z.object({ id: z.int() })).default([]),
});

/** Returns the path and message of each issue of a refused body. */
async function wordsOf(payload: object, schema: z.ZodType = body): Promise<[string, string][]> {
  const app = Fastify().setValidatorCompiler(validatorCompiler);
  app.post('/', { schema: { body: schema } }, async () => []);
  app.setErrorHandler((error, _, reply) => {
    if (!hasZodFastifySchemaValidationErrors(error)) throw error;
    const issues = error.validation.map((issue) => describeIssue(issue, 'en'));
    return reply.send(issues.map(({ path, message }) => [path, message]));
  });
  return (await app.inject({ method: 'POST', url: '/', payload })).json();
}

test('the message of each refused field names its valid values', async () => {
  const told: [object, string, string][] = [
    [{ text: 'ab' }, 'text', 'text must be at least 3 characters long'],
    [{ text: 'abcdef' }, 'text', 'text must be at most 5 characters long'],
    [{ name: '' }, 'name', 'name is required'],
    [{ count: 1 }, 'count', 'count must be at least 2'],
    [{ count: 10 }, 'count', 'count must be at most 9'],
    [{ count: 2.5 }, 'count', 'count must be a whole number'],
    [{ price: 0 }, 'price', 'price must be more than 0'],
    [{ status: 'up' }, 'status', 'status must be one of: on, off'],
    [{ flag: 'yes' }, 'flag', 'flag must be of type boolean'],
    [{ digits: 'x' }, 'digits', 'digits is not valid'],
    [{ list: [{ id: 1 }, {}] }, 'list.1.id', 'list.1.id is required'],
  ];
  for (const [payload, path, message] of told) assert.deepEqual(await wordsOf(payload), [[path, message]]);
  assert.deepEqual(await wordsOf({ count: 1, flag: 0 }), [
    ['count', 'count must be at least 2'],
    ['flag', 'flag must be of type boolean'],
  ]);
});

test('a schema may set a text, and an issue without a field names the body', async () => {
  const own = z.object({ old: z.string().min(1, 'server_file_missing') });
  assert.deepEqual(await wordsOf({ old: '' }, own), [['old', 'Please select a file to upload']]);
  assert.deepEqual(await wordsOf([]), [['', 'body must be of type object']]);
});
