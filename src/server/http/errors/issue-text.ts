import type { ZodFastifySchemaValidationError } from 'fastify-type-provider-zod';
import type { Locale } from '#shared/locale.ts';
import { ownValue } from '#shared/own-value.ts';
import { m } from '#shared/texts/messages.js';
import { fill, type Text } from './errors.ts';

const texts = m as unknown as Record<string, Text | undefined>;

/** Returns the field of a validation issue, and a message that says which values it takes. */
export function describeIssue(issue: ZodFastifySchemaValidationError, locale: Locale) {
  const path = issue.instancePath.replace(/^\//, '').replaceAll('/', '.');
  // The message of a schema may be the key of a text.
  const own = ownValue(texts, issue.message ?? '');
  const text = own ?? explain(issue, path || m.server_field_body({}, { locale }));
  return { path, message: text({}, { locale }) };
}

function explain({ keyword, message, params }: ZodFastifySchemaValidationError, field: string): Text {
  const { minimum, maximum, origin, values, expected, inclusive } = params as Record<string, unknown>;
  const least = { field, minimum: String(minimum) };
  const most = { field, maximum: String(maximum) };
  if (keyword === 'invalid_type') {
    // Zod reports a missing value only in its message.
    if (message?.endsWith('received undefined')) return fill(m.server_field_required, { field });
    if (expected === 'int') return fill(m.server_field_whole, { field });
    if (expected !== undefined) return fill(m.server_field_type, { field, expected: String(expected) });
  }
  if (keyword === 'too_small') {
    if (origin !== 'string') {
      return fill(inclusive === false ? m.server_field_not_more : m.server_field_too_small, least);
    }
    return minimum === 1 ? fill(m.server_field_required, { field }) : fill(m.server_field_too_short, least);
  }
  if (keyword === 'too_big') {
    return fill(origin === 'string' ? m.server_field_too_long : m.server_field_too_big, most);
  }
  if (keyword === 'invalid_value' && Array.isArray(values)) {
    return fill(m.server_field_one_of, { field, values: values.join(', ') });
  }
  return fill(m.server_field_invalid, { field });
}
