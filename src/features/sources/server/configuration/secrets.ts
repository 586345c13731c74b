import { ownValue } from '#shared/own-value.ts';

/** The secrets of the environment, which configuration texts name as `${NAME}`. */
export type Secrets = {
  /** Replaces `${NAME}` by the secrets' values, each passed through `encode`. */
  fill(text: string, encode?: (secret: string) => string): string;
  /** Replaces every secret that was filled in by `***`, also in percent-encoded form. */
  mask(text: string): string;
  /** Adds a secret that a source handed out to those that `mask` replaces. */
  hide(secret: string): void;
};

const placeholder = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

export function namesOfSecrets(text: string): string[] {
  return [...text.matchAll(placeholder)].map((match) => match[1] ?? '');
}

export function createSecrets(env: Record<string, string | undefined>): Secrets {
  const used = new Set<string>();
  const keep = (secret: string) => {
    for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]) {
      if (form !== '') used.add(form);
    }
    return secret;
  };
  return {
    hide: keep,
    fill: (text, encode = (secret) => secret) =>
      text.replace(placeholder, (_, name: string) => encode(keep((ownValue(env, name) ?? '').trim()))),
    mask(text) {
      // Longest first, because a secret may contain another.
      const longestFirst = [...used].sort((a, b) => b.length - a.length);
      return longestFirst.reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
    },
  };
}
