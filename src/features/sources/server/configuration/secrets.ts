/** Secrets of the environment that configuration texts name as `${NAME}`. */
export type Secrets = {
  /** The text with its secrets put in; `encode` is applied to each of them. */
  fill(text: string, encode?: (secret: string) => string): string;
  /** The text with every secret that was ever put in replaced by `***`, also in its percent-encoded form. */
  mask(text: string): string;
  /** Has `mask` replace this one too: a secret that a source handed out. */
  hide(secret: string): void;
};

const placeholder = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The names of the secrets that a text asks for. */
export function namesOfSecrets(text: string): string[] {
  return [...text.matchAll(placeholder)].map((match) => match[1] ?? '');
}

/** Secrets out of an environment. */
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
      text.replace(placeholder, (_, name: string) => encode(keep((env[name] ?? '').trim()))),
    mask(text) {
      // Longer ones first, so that a secret within another leaves nothing of that one behind.
      const longestFirst = [...used].sort((a, b) => b.length - a.length);
      return longestFirst.reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
    },
  };
}
