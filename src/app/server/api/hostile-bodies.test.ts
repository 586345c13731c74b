import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { readContracts } from '#tests/support/api/contracts.ts';

/** The parts of a JSON Schema that say where a body has texts, lists and records. */
type Form = {
  $ref?: string;
  $defs?: Record<string, Form>;
  type?: string;
  anyOf?: Form[];
  items?: Form;
  properties?: Record<string, Form>;
  additionalProperties?: Form;
};
/** The contents of a body: one text everywhere, and the length of each list and record. */
type Contents = { text: string; items: number; keys: number };

/** Creates a body that has every field of a schema. */
function makeBody(schema: z.ZodType, { text, items: length, keys }: Contents): unknown {
  const whole = z.toJSONSchema(schema, { io: 'input' }) as Form;
  const make = ({ $ref, anyOf, items, properties, additionalProperties: values }: Form): unknown => {
    if ($ref) return make(whole.$defs?.[$ref.slice('#/$defs/'.length)] ?? assert.fail($ref));
    if (anyOf) return make(anyOf.find(({ type }) => type === 'object') ?? anyOf[0] ?? {});
    if (items) return Array(length).fill(make(items));
    if (properties)
      return Object.fromEntries(Object.entries(properties).map(([name, form]) => [name, make(form)]));
    if (!values) return text;
    const value = make(values);
    return Object.fromEntries(Array.from({ length: keys }, (_, nth) => [`-${nth}`, value]));
  };
  return make(whole);
}

const bodies = (await readContracts()).flatMap(({ name, body }) => (body ? [{ name, body }] : []));

/** Checks that every body with such contents is validated within a second, with few issues. */
function assertQuick(contents: Contents): void {
  for (const { name, body } of bodies) {
    const made = makeBody(body, contents);
    const begun = performance.now();
    const count = body.safeParse(made).error?.issues.length ?? 0;
    const ms = Math.round(performance.now() - begun);
    assert.ok(ms < 1000 && count <= 20, `${name}: ${count} issues in ${ms} ms`);
  }
}

test('a body of texts that are far too long is validated within a second by every call', () => {
  for (const unit of ['a', 'a.', 'a@', '1,', ' ', '-'])
    assertQuick({ text: unit.repeat(100_000 / unit.length), items: 1, keys: 1 });
});

test('a list that is far too long is refused within a second by every call, without an issue for each item', () => {
  assertQuick({ text: '-', items: 100_000, keys: 1 });
});

test('a record with far too many keys is refused within a second by every call, without an issue for each key', () => {
  assertQuick({ text: '-', items: 1, keys: 100_000 });
});
