import { beginsName, closeTag, findTagEnd, lessThan, slash } from './plain-tags.ts';

const deepest = 200;

/** Passes over what an element has inside: only that every tag is closed by its name is looked at. */
export class ElementSkipper {
  /** How many tags were opened in the last element. */
  opened = 0;
  /** Where the names of the open elements begin. */
  readonly #names = new Uint32Array(deepest);

  /**
   * @param name where the name of the element begins
   * @param from a place inside of it, but in none of its children
   * @returns the place behind its end
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
