/** Serials have up to 15 characters of 0-9 and A-Z; 37 codes leave one for "no character". */
const codes = 37;
const half = 8;
const startSlots = 1024;

/**
 * Remembers in which sheet row each serial stood first. Packed into number arrays: a million serials take 42 MB here
 * and three times that in a Map of strings.
 */
export class SerialIndex {
  #heads = new Float64Array(startSlots);
  #tails = new Float64Array(startSlots);
  #rows = new Int32Array(startSlots);
  #count = 0;

  /**
   * Notes a serial.
   * @param row from 1
   * @returns the row where it stood first; undefined when it is new
   */
  add(serial: string, row: number): number | undefined {
    if ((this.#count + 1) * 2 > this.#rows.length) this.#grow();
    const head = encode(serial, 0);
    const tail = encode(serial, half);
    const slot = this.#find(head, tail);
    const first = this.#rows[slot] ?? 0;
    if (first > 0) return first;
    this.#put(slot, head, tail, row);
    this.#count++;
    return undefined;
  }

  /** The slot of a serial, or the free one where it belongs. */
  #find(head: number, tail: number): number {
    const mask = this.#rows.length - 1;
    let slot = scatter(head, tail) & mask;
    while (this.#rows[slot] !== 0 && (this.#heads[slot] !== head || this.#tails[slot] !== tail)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #put(slot: number, head: number, tail: number, row: number): void {
    this.#heads[slot] = head;
    this.#tails[slot] = tail;
    this.#rows[slot] = row;
  }

  #grow(): void {
    const [heads, tails, rows] = [this.#heads, this.#tails, this.#rows];
    const slots = rows.length * 2;
    this.#heads = new Float64Array(slots);
    this.#tails = new Float64Array(slots);
    this.#rows = new Int32Array(slots);
    rows.forEach((row, i) => {
      if (row === 0) return;
      const head = heads[i] ?? 0;
      const tail = tails[i] ?? 0;
      this.#put(this.#find(head, tail), head, tail, row);
    });
  }
}

/** Up to eight characters from `start` on as one whole number, below 37^8 and so exact. */
function encode(serial: string, start: number): number {
  let number = 0;
  for (let i = start; i < start + half; i++) {
    const code = serial.charCodeAt(i);
    // Behind the end charCodeAt is NaN.
    number = number * codes + (code >= 65 ? code - 54 : code >= 48 ? code - 47 : 0);
  }
  return number;
}

function scatter(head: number, tail: number): number {
  let hash = Math.imul(head | 0, 0x9e3779b1) ^ Math.imul((head / 0x100000000) | 0, 0x85ebca6b);
  hash = Math.imul(hash ^ (tail | 0), 0xc2b2ae35) ^ Math.imul((tail / 0x100000000) | 0, 0x27d4eb2f);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
