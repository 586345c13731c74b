import fc from 'fast-check';

/** As much of a JSON Schema as the API's own description uses. */
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

/** How far a value keeps to its schema. */
export type Manner = 'valid' | 'near' | 'wild';

/**
 * Values for one parameter or body. `known` holds what the seeded data has under that name, so that a valid call also
 * finds something; `near` breaks one rule by a little; `wild` keeps to none.
 */
export function valuesFor(
  schema: Schema,
  manner: Manner,
  known: readonly unknown[] = [],
): fc.Arbitrary<unknown> {
  if (manner === 'wild') return wild;
  const valid = validValues(schema, known);
  return manner === 'valid' ? valid : fc.oneof(valid, boundaries(schema), wild);
}

/** What no schema of ours has in mind: other types, odd letters, great lengths, names of the language's own parts. */
const wild: fc.Arbitrary<unknown> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    ...[
      '',
      ' ',
      '0',
      '-1',
      '1e9',
      '9'.repeat(16),
      '9'.repeat(400),
      'NaN',
      'null',
      'true',
      '[]',
      '{}',
      '\u0000',
      '\ud800',
    ],
    ...[
      '\u202e',
      '%00',
      '%',
      '../..',
      "'; DROP TABLE tickets; --",
      '<b>',
      '{{7*7}}',
      '$1',
      '\\',
      '%_%',
      '𝟙',
      '١٢٣',
    ],
    ...['__proto__', 'constructor', 'toString', 'x'.repeat(70_000), '0001-01-01', '9999-12-31', '2026-02-30'],
  ),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string(), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('__proto__', 'a', 'length', 'toJSON', 'then'), fc.string(), { maxKeys: 3 }),
);

function boundaries(schema: Schema): fc.Arbitrary<unknown> {
  const { minimum, maximum, minLength, maxLength } = schema;
  const values: unknown[] = [];
  if (minimum !== undefined) values.push(minimum, minimum - 1);
  if (maximum !== undefined) values.push(maximum, maximum + 1, maximum + 0.5);
  if (minLength !== undefined) values.push('x'.repeat(Math.max(0, minLength - 1)));
  if (maxLength !== undefined)
    values.push('x'.repeat(maxLength), 'x'.repeat(maxLength + 1), '𝟙'.repeat(maxLength));
  if (schema.enum) values.push(...schema.enum.map((value) => `${String(value)} `), 'ALL');
  return values.length === 0 ? wild : fc.constantFrom(...values);
}

function validValues(schema: Schema, known: readonly unknown[]): fc.Arbitrary<unknown> {
  const generated = generate(schema);
  return known.length === 0
    ? generated
    : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: generated });
}

function generate(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(generate));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'integer' || type === 'number') {
    const { minimum: min = 0, maximum: max = 1_000_000_000 } = schema;
    return fc.oneof(fc.integer({ min, max }), fc.integer({ min, max: Math.min(max, min + 50) }));
  }
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'array') return fc.array(generate(schema.items ?? {}), { maxLength: 5 });
  if (type === 'object') {
    const fields = Object.entries(schema.properties ?? {}).map(
      ([name, field]) => [name, generate(field)] as const,
    );
    return fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] });
  }
  return text(schema);
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
