/** A figure of the product and a reference, measured at the same time on the same machine. */
export type Row = {
  what: string;
  unit: string;
  /** The product's figure. */
  measured: number;
  /** The name of the reference. */
  beside: string;
  reference: number;
  /** The maximum of `measured`. */
  goal?: number;
  /** The minimum of measured ÷ reference. */
  minRatio?: number;
  /** The maximum of measured ÷ reference. */
  maxRatio?: number;
};

/** A measurement. Each module bench/*.bench.ts exports one as `bench`. */
export type Bench = { title: string; run(): Promise<Row[]> };

/** Returns a quantile. @param share 0.99 for the 99th percentile */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: number[]): number {
  return quantile(values, 0.5);
}

/** Prints the rows of a measurement as a table. */
export function printRows(rows: Row[]): void {
  const number = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));
  console.table(
    rows.map((row) => ({
      work: row.what,
      ours: `${number(row.measured)} ${row.unit}`,
      peer: `${number(row.reference)} ${row.unit} (${row.beside})`,
      ratio: number(row.measured / row.reference),
      limit: describeGoal(row),
    })),
  );
}

function describeGoal({ measured, reference, unit, goal, minRatio, maxRatio }: Row): string {
  const said = (met: boolean, what: string) => `${met ? 'met' : 'MISSED'}: ${what}`;
  if (goal !== undefined) return said(measured <= goal, `at most ${goal} ${unit}`);
  if (maxRatio !== undefined) return said(measured / reference <= maxRatio, `at most ${maxRatio} x`);
  if (minRatio !== undefined) return said(measured / reference >= minRatio, `at least ${minRatio} x`);
  return '';
}
