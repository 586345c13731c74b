import { readFileSync } from 'node:fs';
import { invalidField } from '#server/http/errors/errors.ts';
import { m } from '#shared/texts/messages.js';

// The 10,000 commonest passwords of at least 8 characters, in lower case, from @zxcvbn-ts/language-common 4.1.3 (MIT).
const file = new URL('../../common-passwords.txt', import.meta.url);

let common: Set<string> | undefined;

export function isCommonPassword(password: string): boolean {
  common ??= new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean));
  return common.has(password.toLowerCase());
}

/**
 * Refuses a common password.
 * @param field the body's field with the password
 * @throws AppError 400 naming the field
 */
export function requireUncommonPassword(field: string, password: string): void {
  if (!isCommonPassword(password)) return;
  throw invalidField(field, m.server_password_common);
}
