import type { SheetCell } from '#shared/identifier.ts';

/** The maximum number of characters in the cache. */
const maxCachedCharacters = 4_000_000;
/** The memory of a cached result, in characters. */
const resultCharacters = 500;
/** A number of 15 digits, which takes no time to parse. */
const plain = /^\d{15}$/;

/**
 * Parses the cells of sheets up to a maximum of characters, which bounds the time: about 0.1 µs per character. A text that
 * repeats is parsed and counted once, while the cache has room. Numbers take no time and do not count.
 */
export class TextParser<T> {
  readonly #parse: (cell: SheetCell) => T;
  readonly #maxCharacters: number;
  readonly #cache = new Map<string, T>();
  #cachedCharacters = 0;
  #characters = 0;

  constructor(parse: (cell: SheetCell) => T, maxCharacters: number) {
    this.#parse = parse;
    this.#maxCharacters = maxCharacters;
  }

  /** Returns undefined for a new text past the maximum. */
  read(cell: SheetCell): T | undefined {
    const { text } = cell;
    if (cell.numeric || cell.noResult || plain.test(text)) return this.#parse(cell);
    const cached = this.#cache.get(text);
    if (cached !== undefined) return cached;
    this.#characters += text.length;
    if (this.#characters > this.#maxCharacters) return undefined;
    const result = this.#parse(cell);
    const size = text.length + resultCharacters;
    if (this.#cachedCharacters + size <= maxCachedCharacters) {
      this.#cachedCharacters += size;
      this.#cache.set(text, result);
    }
    return result;
  }
}
