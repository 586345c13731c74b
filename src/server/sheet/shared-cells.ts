import type { SheetCell } from '#shared/identifier.ts';
import { SheetError } from './sheet-error.ts';

/** Shorter texts are worth no memory: looking at them again is as fast. */
const leastKept = 200;
const mostKept = 4_000_000;

/**
 * The cells of shared texts. A long text is decoded once, and is one and the same cell in all places that name it, so
 * that what is found out about it can be kept; as many as fit into a few megabytes.
 */
export class SharedCells {
  readonly #find: (index: number) => string | undefined;
  readonly #kept = new Map<number, SheetCell>();
  #characters = 0;

  /** @param find the shared text of a number */
  constructor(find: (index: number) => string | undefined) {
    this.#find = find;
  }

  /**
   * The cell of a shared text, undefined for an empty one.
   * @throws SheetError when there is no such text
   */
  get(index: number): SheetCell | undefined {
    const known = this.#kept.get(index);
    if (known) return known;
    const text = this.#find(index);
    if (text === undefined) throw new SheetError('corrupt', `no shared string ${index}`);
    if (text === '') return undefined;
    const cell = { text, numeric: false };
    if (text.length >= leastKept && this.#characters + text.length <= mostKept) {
      this.#characters += text.length;
      this.#kept.set(index, cell);
    }
    return cell;
  }
}
