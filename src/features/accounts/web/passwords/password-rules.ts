import { useMemo } from 'react';
import { m } from '#shared/texts/messages.js';
import { useLoaded } from '#web/browser/loaded.ts';

const minimumLength = 8;

/** Fetches the passwords that the server refuses, in lower case and a line each. */
const loadCommonPasswords = () => import('../../common-passwords.txt?raw');

export type Rule = { text: string; met: boolean };

/** The live checklist; `current` is left out where there is no current password to differ from. */
export function usePasswordRules(next: string, confirm: string, current?: string): Rule[] {
  const { loaded } = useLoaded(loadCommonPasswords);
  const common = useMemo(() => loaded && new Set(loaded.default.split('\n')), [loaded]);
  const rules = [
    { text: m.account_rule_length(), met: next.length >= minimumLength },
    { text: m.account_rule_uncommon(), met: next !== '' && common?.has(next.toLowerCase()) === false },
    { text: m.account_rule_match(), met: next !== '' && next === confirm },
  ];
  if (current !== undefined) {
    rules.splice(1, 0, { text: m.account_rule_different(), met: next !== '' && next !== current });
  }
  return rules;
}

/** Returns the text why a change of the password cannot be sent; null if it can. */
export function findChangeProblem(current: string, next: string, confirm: string): (() => string) | null {
  if (next.length < minimumLength) return m.account_new_password_short;
  if (next !== confirm) return m.account_new_passwords_differ;
  if (next === current) return m.account_new_password_same;
  return null;
}

/** Returns the text why a first password or one after a reset cannot be sent; null if it can. */
export function findResetProblem(next: string, confirm: string): (() => string) | null {
  if (next.length < minimumLength) return m.account_password_short;
  if (next !== confirm) return m.account_passwords_differ;
  return null;
}
