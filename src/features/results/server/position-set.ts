import { readPositions } from '#shared/positions.ts';
import type { RowIndex } from './row-index.ts';

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

/** The listed positions, as far as the ticket has such rows. */
export function setOf(listed: string, { first, groupOf }: Pick<RowIndex, 'first' | 'groupOf'>): PositionSet {
  const positions = new PositionSet();
  const last = first + groupOf.length - 1;
  let next = first;
  // Ranges may overlap: no position is looked at twice.
  for (const [lo, hi] of readPositions(listed).sort(([a], [b]) => a - b)) {
    for (next = Math.max(lo, next); next <= Math.min(hi, last); next++) positions.add(next);
  }
  return positions;
}
