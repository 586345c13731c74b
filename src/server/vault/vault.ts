import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { StartError } from '#server/runtime/start-error.ts';

/** The purpose of a sealed value. It does not open for another purpose. */
export type Purpose = 'proxy' | 'token' | 'calendar' | 'totp' | 'sign-in' | 'webhook';

/** A sealed value: `sealed`, the id of its key, and nonce, ciphertext and tag in base64url. */
const form = /^sealed\.([0-9a-f]{8})\.([\w-]+)$/;
const nonceBytes = 12;
const tagBytes = 16;

type Key = { id: string; cipher: Buffer; nonces: Buffer };

/**
 * Encrypts secrets that must be readable again (see `Purpose`) with AES-256-GCM, and decrypts them. The previous key may
 * still open, so that keys can be rotated.
 */
export class Vault {
  readonly #keys: [Key, ...Key[]];

  /**
   * @param key a text of at least 32 bytes
   * @param old the previous key
   */
  constructor(key: string, old?: string) {
    this.#keys = [makeKey(key), ...(old ? [makeKey(old)] : [])];
  }

  /**
   * Seals a text. Equal texts give equal results, so that sealed values can be compared: the nonce is an HMAC of the text
   * with a separate key.
   */
  seal(purpose: Purpose, text: string): string {
    const [{ id, cipher, nonces }] = this.#keys;
    const nonce = createHmac('sha256', nonces).update(`${purpose}\0${text}`).digest().subarray(0, nonceBytes);
    const sealing = createCipheriv('aes-256-gcm', cipher, nonce).setAAD(Buffer.from(`${id} ${purpose}`));
    const sealed = [nonce, sealing.update(text, 'utf8'), sealing.final(), sealing.getAuthTag()];
    return `sealed.${id}.${Buffer.concat(sealed).toString('base64url')}`;
  }

  /**
   * Opens a sealed text. Returns text that was stored in clear as it is.
   * @throws StartError if it was sealed with an unknown key
   * @throws Error if it was sealed for another purpose or was changed
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

  /** The id of the current key, which does not reveal the key. */
  get keyId(): string {
    return this.#keys[0].id;
  }

  /** LIKE patterns that match all stored values sealed with one of the keys. */
  get openable(): string[] {
    return this.#keys.map(({ id }) => `%sealed.${id}.%`);
  }

  /** The beginning of every value sealed with the current key. */
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
 * Returns the vault of this process. The supervisor sets SECRETS_KEY for every process.
 * @throws Error without SECRETS_KEY
 */
export function findVault(): Vault {
  const { SECRETS_KEY: key, SECRETS_KEY_OLD: old } = process.env;
  if (!key) throw new Error('the supervisor must set SECRETS_KEY');
  const keys = JSON.stringify([key, old]);
  if (opened?.keys !== keys) opened = { keys, vault: new Vault(key, old) };
  return opened.vault;
}
