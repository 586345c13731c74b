import { createHash, createHmac, hkdfSync } from 'node:crypto';
import type { Config } from '#server/runtime/config.ts';
import { createSecrets } from './secrets.ts';

/** What an answer depends on beside the entry of its source. */
export type KeyMaterial = {
  env: Record<string, string | undefined>;
  /** The zone whose calendar days answers are read in. */
  timezone: string;
  /** The key of all stored secrets, which is not in the database. */
  secret: string;
};

/** The key material of a process. */
export function keyMaterialOf(
  config: Pick<Config, 'APP_TIMEZONE'>,
  env: Record<string, string | undefined>,
): KeyMaterial {
  if (!env.SECRETS_KEY) throw new Error('the supervisor gives SECRETS_KEY');
  return { env, timezone: config.APP_TIMEZONE, secret: env.SECRETS_KEY };
}

/** Settings that do not change what a source answers. */
const indifferent = ['label', 'enabled', 'limits', 'attempts'];
/** Settings that do not change what a source is asked about a serial, nor how its answer is read. */
const unasked = [...indifferent, 'accepts', 'egress'];

/** Names a source and how it is asked, without the values of its secrets: with another key it starts afresh. */
export function keyOfSource(raw: object): string {
  return createHash('sha256')
    .update(canonical(without(raw, indifferent)))
    .digest('hex')
    .slice(0, 16);
}

/**
 * Returns the key of a source's cached answers. It names the source, what is asked, with every variable filled in, and
 * how the answer is read. A secret goes into it, so that nobody who reads the database finds the value of a variable by
 * trying.
 */
export function keyOfAnswers(raw: object, { env, timezone, secret }: KeyMaterial): string {
  const asked = createSecrets(env).fill(canonical(without(raw, unasked)), (value) =>
    JSON.stringify(value).slice(1, -1),
  );
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'coverdesk answer keys', 32));
  return createHmac('sha256', key).update(`${timezone} ${asked}`).digest('hex').slice(0, 32);
}

function without(raw: object, names: string[]): object {
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !names.includes(name)));
}

/** JSON with sorted names. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${parts.map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`).join()}}`;
}
