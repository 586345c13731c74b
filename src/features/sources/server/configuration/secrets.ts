import { ownValue } from '#shared/own-value.ts';

/** The secrets of the environment, which configuration texts name as `${NAME}`. */
export type Secrets = {
  /** Replaces `${NAME}` by the secrets' values, each passed through `encode`. */
  fill(text: string, encode?: (secret: string) => string): string;
  /** Replaces every secret that was filled in by `***`, also in percent-encoded form. */
  mask(text: string): string;
  /** Adds a secret that a source handed out to those that `mask` replaces, of which the latest 50 count. */
  hide(secret: string): void;
};

/** More tokens than all sources have in use; one that was replaced long ago is worth nothing. */
const maxHandedOut = 50;

const placeholder = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

export function namesOfSecrets(text: string): string[] {
  return [...text.matchAll(placeholder)].map((match) => match[1] ?? '');
}

export function createSecrets(env: Record<string, string | undefined>): Secrets {
  const used = new Set<string>();
  /** The latest last. */
  const handedOut = new Set<string>();
  const keep = (secret: string) => {
    used.add(secret);
    return secret;
  };
  return {
    hide(secret) {
      handedOut.delete(secret);
      handedOut.add(secret);
      const [oldest] = handedOut;
      if (handedOut.size > maxHandedOut && oldest !== undefined) handedOut.delete(oldest);
    },
    fill: (text, encode = (secret) => secret) =>
      text.replace(placeholder, (_, name: string) => encode(keep((ownValue(env, name) ?? '').trim()))),
    mask(text) {
      // Longest first, because a secret may contain another.
      const longestFirst = [...used, ...handedOut].flatMap(formsOf).sort((a, b) => b.length - a.length);
      return longestFirst.reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
    },
  };
}

/** Returns a secret as it is written in texts, URLs and JSON; nothing for an empty one. */
function formsOf(secret: string): string[] {
  return [secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)].filter(
    (form) => form !== '',
  );
}
