import type { SheetCell } from '#shared/identifier.ts';
import { SheetError } from './sheet-error.ts';

/** The length from which a text is cached: decoding a shorter one again is as fast. */
const minCachedLength = 200;
const maxCachedCharacters = 4_000_000;

/**
 * The cells of shared strings. A long text is decoded once and yields the same object everywhere, which a cache finds at
 * once. Holds a few megabytes at most.
 */
export class SharedCells {
  readonly #find: (index: number) => string | undefined;
  readonly #cache = new Map<number, SheetCell>();
  #characters = 0;

  /** @param find returns the shared string with an index */
  constructor(find: (index: number) => string | undefined) {
    this.#find = find;
  }

  /**
   * Returns the cell of a shared string, undefined for an empty one.
   * @throws SheetError for an index without a string
   */
  get(index: number): SheetCell | undefined {
    const cached = this.#cache.get(index);
    if (cached) return cached;
    const text = this.#find(index);
    if (text === undefined) throw new SheetError('corrupt', `no shared string ${index}`);
    if (text === '') return undefined;
    const cell = { text, numeric: false };
    if (text.length >= minCachedLength && this.#characters + text.length <= maxCachedCharacters) {
      this.#characters += text.length;
      this.#cache.set(index, cell);
    }
    return cell;
  }
}
