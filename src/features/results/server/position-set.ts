/** Positions of a ticket, a bit each. */
export class PositionSet {
  #bits = new Uint8Array(1024);

  add(position: number): void {
    const place = position >> 3;
    if (place >= this.#bits.length) {
      const larger = new Uint8Array(Math.max(place + 1, this.#bits.length * 2));
      larger.set(this.#bits);
      this.#bits = larger;
    }
    this.#bits[place] = (this.#bits[place] ?? 0) | (1 << (position & 7));
  }

  has(position: number): boolean {
    return ((this.#bits[position >> 3] ?? 0) & (1 << (position & 7))) !== 0;
  }
}
