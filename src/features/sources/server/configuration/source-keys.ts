import { createHash, createHmac, hkdfSync } from 'node:crypto';
import type { Config } from '#server/runtime/config.ts';
import { createSecrets } from './secrets.ts';

/** The inputs of a source's keys beside its entry. */
export type KeyMaterial = {
  env: Record<string, string | undefined>;
  /** The time zone of the days in answers. */
  timezone: string;
  /** SECRETS_KEY, which is not in the database. */
  secret: string;
};

export function keyMaterialOf(
  config: Pick<Config, 'APP_TIMEZONE'>,
  env: Record<string, string | undefined>,
): KeyMaterial {
  if (!env.SECRETS_KEY) throw new Error('the supervisor must set SECRETS_KEY');
  return { env, timezone: config.APP_TIMEZONE, secret: env.SECRETS_KEY };
}

/** Settings that do not change a source's answers. */
const outsideState = ['label', 'enabled', 'limits', 'attempts'];
/** Settings that change neither the request for a serial nor the mapping of its answer. */
const outsideAnswers = [...outsideState, 'accepts', 'egress'];

/** Returns the key of a source's state. A changed key resets the state. Values of secrets are not part of it. */
export function keyOfSource(raw: object): string {
  return createHash('sha256')
    .update(canonical(without(raw, outsideState)))
    .digest('hex')
    .slice(0, 16);
}

/**
 * Returns the key of a source's cached answers: its name, its request with variables filled in, and its mapping of
 * answers. It is an HMAC, so that variables' values cannot be guessed from the keys in the database.
 */
export function keyOfAnswers(raw: object, { env, timezone, secret }: KeyMaterial): string {
  const filled = createSecrets(env).fill(canonical(without(raw, outsideAnswers)), (value) =>
    JSON.stringify(value).slice(1, -1),
  );
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'coverdesk answer keys', 32));
  return createHmac('sha256', key).update(`${timezone} ${filled}`).digest('hex').slice(0, 32);
}

function without(raw: object, names: string[]): object {
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !names.includes(name)));
}

/** Returns JSON with sorted names. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${parts.map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`).join()}}`;
}
