/** A row of a table: one figure of the product, and what it should be. */
export type Goal = {
  figure: string;
  unit: string;
  /** The contender that the product's figure is divided by. */
  peer?: string;
  better: 'smaller' | 'larger';
  /** The limit of the ratio to the peer, or of the figure itself without one. Rows without a goal only inform. */
  goal?: number | undefined;
};

/** The product of this checkout, the one beside it, or the name of a peer. */
export type Contender = 'ours' | 'beside' | (string & {});

/** The measured values of each figure, by contender. */
export class Figures {
  #values = new Map<string, number[]>();

  add(figure: string, contender: Contender, value: number): void {
    const key = `${figure}\n${contender}`;
    this.#values.set(key, [...(this.#values.get(key) ?? []), value]);
  }

  /** Returns the values in the order of measuring; none if this was not measured. */
  of(figure: string, contender: Contender): number[] {
    return this.#values.get(`${figure}\n${contender}`) ?? [];
  }
}

/** Returns a quantile. @param share 0.99 for the 99th percentile */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: number[]): number {
  return quantile(values, 0.5);
}

/** Returns the number that the goal limits: the product's median, divided by the peer's if there is one. */
export function judged({ figure, peer }: Goal, figures: Figures, contender: Contender = 'ours'): number {
  const measured = median(figures.of(figure, contender));
  return peer === undefined ? measured : measured / median(figures.of(figure, peer));
}

/** Returns whether the product misses a goal. A figure that could not be measured misses it, too. */
export function isMissed(row: Goal, figures: Figures): boolean {
  if (row.goal === undefined) return false;
  const number = judged(row, figures);
  return !(row.better === 'smaller' ? number <= row.goal : number >= row.goal);
}
