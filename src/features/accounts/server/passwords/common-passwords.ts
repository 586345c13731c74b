import { readFileSync } from 'node:fs';
import { invalidField } from '#server/http/errors/errors.ts';
import { m } from '#shared/texts/messages.js';

// The 10,000 commonest passwords of at least 8 characters, in lower case, from @zxcvbn-ts/language-common 4.1.3 (MIT).
const file = new URL('./common-passwords.txt', import.meta.url);

let common: Set<string> | undefined;

/** Whether a password is one that everybody tries first; upper and lower case make no difference. */
export function isCommonPassword(password: string): boolean {
  common ??= new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean));
  return common.has(password.toLowerCase());
}

/**
 * Lets only a password pass that nobody guesses first.
 * @param field the field of the body that carries it
 * @throws AppError 400 naming the field
 */
export function requireUncommonPassword(field: string, password: string): void {
  if (!isCommonPassword(password)) return;
  throw invalidField(field, (locale) => m.server_password_common({}, { locale }));
}
