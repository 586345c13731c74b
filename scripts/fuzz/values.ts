import fc from 'fast-check';

/** The part of JSON Schema that the API's description uses. */
export type Schema = {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
};

/** Whether a value obeys its schema: in everything, in all rules but one, or not at all. */
export type Manner = 'valid' | 'near' | 'wild';

/** Generates values for one parameter or body. @param known values of the seeded data with that name, so that calls find them */
export function valuesFor(
  schema: Schema,
  manner: Manner,
  known: readonly unknown[] = [],
): fc.Arbitrary<unknown> {
  if (manner === 'wild') return wild;
  const made = generate(schema);
  const valid =
    known.length > 0
      ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: made })
      : made;
  return manner === 'valid' ? valid : fc.oneof(valid, boundaries(schema), wild);
}

const odd =
  '0 -1 1e9 NaN null true [] {} %00 % ../.. <b> {{7*7}} $1 \\ %_% 𝟙 ١٢٣ 0001-01-01 9999-12-31 2026-02-30';

const wild: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', ' ', '\u0000', '\ud800', "'; DROP TABLE tickets; --", ...odd.split(' ')),
  fc.constantFrom('9'.repeat(16), '9'.repeat(400), 'x'.repeat(70_000)),
);

function boundaries({ minimum, maximum, minLength, maxLength, enum: words }: Schema): fc.Arbitrary<unknown> {
  const values: unknown[] = (words ?? []).map((word) => `${word} `);
  if (minimum !== undefined) values.push(minimum, minimum - 1);
  if (maximum !== undefined) values.push(maximum, maximum + 1, maximum + 0.5);
  if (minLength) values.push('x'.repeat(minLength - 1));
  if (maxLength !== undefined)
    values.push('x'.repeat(maxLength), 'x'.repeat(maxLength + 1), '𝟙'.repeat(maxLength));
  return values.length === 0 ? wild : fc.constantFrom(...values);
}

function generate(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(generate));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  const {
    minimum: min = 0,
    maximum: max = 1_000_000_000,
    items = {},
    properties = {},
    required = [],
  } = schema;
  if (type === 'integer' || type === 'number') return fc.integer({ min, max });
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'array') return fc.array(generate(items), { maxLength: 5 });
  if (type === 'object') return recordOf(properties, generate, required);
  return text(schema);
}

/** Generates objects that have the required properties always, and the others sometimes. */
export function recordOf(
  properties: Record<string, Schema>,
  makeValue: (schema: Schema, name: string) => fc.Arbitrary<unknown>,
  requiredKeys: string[],
): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(properties).map(([name, schema]) => [name, makeValue(schema, name)]);
  return fc.record(Object.fromEntries(fields), { requiredKeys });
}

function text({ format, pattern, minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<string> {
  if (format === 'email') return fc.emailAddress();
  if (format === 'date-time') return instants;
  if (format === 'date') return instants.map((instant) => instant.slice(0, 10));
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) });
}

const instants = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
