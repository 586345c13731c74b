import assert from 'node:assert/strict';
import { before, test } from 'node:test';
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

const bodies: { name: string; body: z.ZodType }[] = [];

before(async () => {
  for (const { name, body } of await readContracts()) if (body) bodies.push({ name, body });
});

/** Far more than validation takes on a slow machine, and far less than work that grows with the square of a text. */
const longestMs = 20_000;

/** Checks that every body with such contents is validated soon, with few issues. */
function assertBounded(contents: Contents): void {
  for (const { name, body } of bodies) {
    const made = makeBody(body, contents);
    const begun = performance.now();
    const count = body.safeParse(made).error?.issues.length ?? 0;
    const ms = Math.round(performance.now() - begun);
    assert.ok(ms < longestMs && count <= 20, `${name}: ${count} issues in ${ms} ms`);
  }
}

test('a body of texts that are far too long is validated soon by every call', () => {
  for (const unit of ['a', 'a.', 'a@', '1,', ' ', '-'])
    assertBounded({ text: unit.repeat(500_000 / unit.length), items: 1, keys: 1 });
});

test('a list that is far too long is refused by every call without an issue for each item', () => {
  assertBounded({ text: '-', items: 100_000, keys: 1 });
});

test('a record with far too many keys is refused by every call without an issue for each key', () => {
  assertBounded({ text: '-', items: 1, keys: 100_000 });
});
