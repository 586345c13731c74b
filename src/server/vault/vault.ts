import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { StartError } from '#server/runtime/start-error.ts';

/** What a sealed value is for: one that was moved elsewhere does not open there. */
export type Purpose = 'proxy' | 'token';

/** A sealed value: the mark, the id of its key, and nonce, ciphertext and tag in base64url. */
const form = /^sealed\.([0-9a-f]{8})\.([\w-]+)$/;
const nonceBytes = 12;
const tagBytes = 16;

type Key = { id: string; cipher: Buffer; nonces: Buffer };

/**
 * Seals what must be readable again (proxy passwords, tokens of vendors) with AES-256-GCM before it is stored, and
 * opens it. One key seals; the one before it may still open, so that a new one can take over.
 */
export class Vault {
  readonly #keys: [Key, ...Key[]];

  /**
   * @param key a text of at least 32 bytes
   * @param old the one before, which still opens
   */
  constructor(key: string, old?: string) {
    this.#keys = [makeKey(key), ...(old ? [makeKey(old)] : [])];
  }

  /**
   * Seals a text. The same text under the same key has the same form, so that equal values can still be told: the
   * nonce comes of the text itself, by a key of its own.
   */
  seal(purpose: Purpose, text: string): string {
    const [{ id, cipher, nonces }] = this.#keys;
    const nonce = createHmac('sha256', nonces).update(`${purpose}\0${text}`).digest().subarray(0, nonceBytes);
    const sealing = createCipheriv('aes-256-gcm', cipher, nonce).setAAD(Buffer.from(`${id} ${purpose}`));
    const sealed = [nonce, sealing.update(text, 'utf8'), sealing.final(), sealing.getAuthTag()];
    return `sealed.${id}.${Buffer.concat(sealed).toString('base64url')}`;
  }

  /**
   * Opens a sealed text; one that was stored before there were seals is answered as it is.
   * @throws StartError for one that was sealed by a key that is not here
   * @throws Error for one that was sealed for something else, or was changed
   */
  open(purpose: Purpose, stored: string): string {
    const [, id, value = ''] = form.exec(stored) ?? [];
    if (id === undefined) return stored;
    const key = this.#keys.find((one) => one.id === id);
    if (!key) {
      throw new StartError(
        `SECRETS_KEY lacks the key ${id}, by which a stored secret was sealed: give it as SECRETS_KEY or SECRETS_KEY_OLD`,
      );
    }
    const bytes = Buffer.from(value, 'base64url');
    const opening = createDecipheriv('aes-256-gcm', key.cipher, bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    })
      .setAAD(Buffer.from(`${id} ${purpose}`))
      .setAuthTag(bytes.subarray(-tagBytes));
    return opening.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + opening.final('utf8');
  }

  /** Names the present key without telling it. */
  get keyId(): string {
    return this.#keys[0].id;
  }

  /** LIKE patterns of all stored values that one of the keys has sealed. */
  get openable(): string[] {
    return this.#keys.map(({ id }) => `%sealed.${id}.%`);
  }

  /** What every value that the present key has sealed begins with. */
  get mark(): string {
    return `sealed.${this.keyId}.`;
  }
}

function makeKey(text: string): Key {
  const derive = (what: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', text, '', `coverdesk ${what}`, bytes));
  return {
    id: derive('key id', 4).toString('hex'),
    cipher: derive('cipher', 32),
    nonces: derive('nonces', 32),
  };
}

let opened: { keys: string; vault: Vault } | undefined;

/**
 * The vault of this process, by its SECRETS_KEY, which the supervisor gives to every process of the product.
 * @throws Error without one
 */
export function findVault(): Vault {
  const { SECRETS_KEY: key, SECRETS_KEY_OLD: old } = process.env;
  if (!key) throw new Error('the supervisor gives SECRETS_KEY');
  const keys = JSON.stringify([key, old]);
  if (opened?.keys !== keys) opened = { keys, vault: new Vault(key, old) };
  return opened.vault;
}
