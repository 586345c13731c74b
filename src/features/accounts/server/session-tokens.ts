import type { KeyObject } from 'node:crypto';
import { readToken, type TokenClaims } from './read-token.ts';

/** More sessions than call within an hour. */
const mostKept = 10_000;

/** Reads session tokens. A signature is checked once: what its token says never changes, but it expires. */
export class SessionTokens {
  readonly #key: KeyObject;
  readonly #believed = new Map<string, TokenClaims>();

  constructor(key: KeyObject) {
    this.#key = key;
  }

  /** As `readToken`. */
  read(token: string, now: number): ReturnType<typeof readToken> {
    const known = this.#believed.get(token);
    if (known && known.exp > now) return known;
    const read = readToken(this.#key, token, now);
    if (typeof read !== 'object') {
      this.#believed.delete(token);
      return read;
    }
    if (this.#believed.size >= mostKept) this.#believed.clear();
    this.#believed.set(token, read);
    return read;
  }
}
