import { createHash, createHmac } from 'node:crypto';
import type { Config } from '#server/config.ts';
import { createSecrets } from './secrets.ts';

/** What an answer depends on beside the entry of its source. */
export type KeyMaterial = {
  env: Record<string, string | undefined>;
  /** The zone whose calendar days answers are read in. */
  timezone: string;
  /** Known to every worker of a database and to nobody who only reads its tables. */
  secret: string;
};

/** The key material of a process. */
export function keyMaterialOf(
  config: Pick<Config, 'APP_TIMEZONE' | 'DATABASE_URL'>,
  env: Record<string, string | undefined>,
): KeyMaterial {
  const secret = config.DATABASE_URL ? new URL(config.DATABASE_URL).password : '';
  return { env, timezone: config.APP_TIMEZONE, secret };
}

/** Settings that do not change what a source answers. */
const indifferent = ['label', 'enabled', 'limits', 'attempts'];
/** Settings that do not change what it is asked about a serial, nor how the answer is read. */
const unasked = [...indifferent, 'name', 'accepts', 'egress'];

/** Names a source and how it is asked, without the values of its secrets: with another key it starts afresh. */
export function keyOfSource(raw: object): string {
  return createHash('sha256')
    .update(canonical(without(raw, indifferent)))
    .digest('hex')
    .slice(0, 16);
}

/**
 * Names what is asked, with every variable filled in, and how the answer is read. Sources of the same key answer the same.
 * It is keyed by a secret, so that nobody can find the value of a variable by trying.
 */
export function keyOfAnswers(raw: object, { env, timezone, secret }: KeyMaterial): string {
  const asked = createSecrets(env).fill(canonical(without(raw, unasked)), (value) =>
    JSON.stringify(value).slice(1, -1),
  );
  return createHmac('sha256', `answers ${secret}`).update(`${timezone} ${asked}`).digest('hex').slice(0, 32);
}

function without(raw: object, names: string[]): object {
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !names.includes(name)));
}

/** JSON with sorted names. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${parts.map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`).join()}}`;
}
