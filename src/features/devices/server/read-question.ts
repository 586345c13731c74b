import { invalidField } from '#server/http/errors/errors.ts';
import { m } from '#shared/texts/messages.js';
import { type DeviceQuestion, deviceQuestion } from '../devices.contract.ts';

/**
 * Parses a query string of the list as the list does: empty parameters count as absent.
 * @param field the name of the field that has the query string
 * @throws AppError 400 naming the field
 */
export function readQuestion(field: string, query: string): DeviceQuestion {
  const given = [...new URLSearchParams(query)].filter(([, value]) => value !== '');
  const question = deviceQuestion.safeParse(Object.fromEntries(given));
  // PostgreSQL cannot store NUL characters.
  if (!question.success || given.some(([, value]) => value.includes('\0'))) {
    throw invalidField(field, (locale) => m.server_field_invalid({ field }, { locale }));
  }
  return question.data;
}
