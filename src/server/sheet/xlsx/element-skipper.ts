import { beginsName, closeTag, findTagEnd, lessThan, slash } from './plain-tags.ts';

const deepest = 200;

/** Skips the content of an element and checks only that each tag is closed by its name. */
export class ElementSkipper {
  /** The number of tags opened in the last element. */
  opened = 0;
  /** The offsets of the names of the open elements. */
  readonly #names = new Uint32Array(deepest);

  /**
   * @param name offset of the element's name
   * @param from an offset inside the element, but in none of its children
   * @returns the offset after its end
   */
  skip(bytes: Uint8Array, name: number, from: number): number {
    const names = this.#names;
    names[0] = name;
    this.opened = 0;
    let depth = 1;
    let at = from;
    for (;;) {
      while (at < bytes.length && bytes[at] !== lessThan) at++;
      at++;
      if (bytes[at] === slash) {
        depth--;
        at = closeTag(bytes, names[depth] ?? 0, at + 1);
        if (at < 0 || depth === 0) return at;
        continue;
      }
      const end = beginsName(bytes[at]) ? findTagEnd(bytes, at) : -1;
      if (end < 0 || depth === deepest) return -1;
      this.opened++;
      if (bytes[end - 1] !== slash) names[depth++] = at;
      at = end + 1;
    }
  }
}
