import type { ZodFastifySchemaValidationError } from 'fastify-type-provider-zod';
import type { Locale } from '#shared/locale.ts';
import { ownValue } from '#shared/own-value.ts';
import { m } from '#shared/texts/messages.js';

type Words = (inputs: Record<string, unknown>, options: { locale: Locale }) => string;
const texts = m as unknown as Record<string, Words | undefined>;

/** Returns the field of a validation issue, and a message that says which values it takes. */
export function describeIssue(issue: ZodFastifySchemaValidationError, locale: Locale) {
  const path = issue.instancePath.replace(/^\//, '').replaceAll('/', '.');
  // The message of a schema may be the key of a text.
  const own = ownValue(texts, issue.message ?? '');
  if (own) return { path, message: own({}, { locale }) };
  const { minimum, maximum, origin, values, expected, inclusive } = issue.params as Record<string, unknown>;
  const field = path || m.server_field_body({}, { locale });
  // Zod reports a missing value only in its message.
  if (issue.keyword === 'invalid_type' && issue.message?.endsWith('received undefined')) {
    return { path, message: m.server_field_required({ field }, { locale }) };
  }
  if (issue.keyword === 'invalid_type' && expected === 'int') {
    return { path, message: m.server_field_whole({ field }, { locale }) };
  }
  if (issue.keyword === 'too_small' && origin === 'string') {
    return {
      path,
      message:
        minimum === 1
          ? m.server_field_required({ field }, { locale })
          : m.server_field_too_short({ field, minimum: String(minimum) }, { locale }),
    };
  }
  if (issue.keyword === 'too_small' && inclusive === false) {
    return { path, message: m.server_field_not_more({ field, minimum: String(minimum) }, { locale }) };
  }
  if (issue.keyword === 'too_small') {
    return { path, message: m.server_field_too_small({ field, minimum: String(minimum) }, { locale }) };
  }
  if (issue.keyword === 'too_big' && origin === 'string') {
    return { path, message: m.server_field_too_long({ field, maximum: String(maximum) }, { locale }) };
  }
  if (issue.keyword === 'too_big') {
    return { path, message: m.server_field_too_big({ field, maximum: String(maximum) }, { locale }) };
  }
  if (issue.keyword === 'invalid_value' && Array.isArray(values)) {
    return { path, message: m.server_field_one_of({ field, values: values.join(', ') }, { locale }) };
  }
  if (issue.keyword === 'invalid_type' && expected !== undefined) {
    return { path, message: m.server_field_type({ field, expected: String(expected) }, { locale }) };
  }
  return { path, message: m.server_field_invalid({ field }, { locale }) };
}
