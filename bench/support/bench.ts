import type { Usage } from './tree-usage.ts';

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

/** The rows of one measurement, and the resources that the whole measurement used, peers included. */
export type Measured = { name: string; rows: Row[]; usage: Usage };

/** Formats all rows as a table for the terminal. A measurement's usage is on its first row. */
export function formatTable(measured: Measured[]): string {
  const number = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));
  const head = ['work', 'ours', 'peer', 'ratio', 'limit', 'took: clock', 'CPU', 'memory'];
  const lines = measured.flatMap(({ name, rows, usage: { wallSeconds, cpuSeconds, peakMb } }) =>
    rows.map((row, i) => ({
      ...row,
      what: `${name}: ${row.what}`,
      took: i > 0 ? [] : [`${number(wallSeconds)} s`, `${number(cpuSeconds)} s`, `${number(peakMb)} MB`],
    })),
  );
  const cells = lines.map((row) => [
    row.what,
    `${number(row.measured)} ${row.unit}`,
    `${number(row.reference)} ${row.unit} (${row.beside})`,
    `${number(row.measured / row.reference)} x`,
    describeGoal(row),
    ...row.took,
  ]);
  const widths = head.map((title, i) => Math.max(title.length, ...cells.map((row) => row[i]?.length ?? 0)));
  return [head, ...cells]
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function describeGoal({ measured, reference, unit, goal, minRatio, maxRatio }: Row): string {
  const said = (met: boolean, what: string) => `${met ? 'met' : 'MISSED'}: ${what}`;
  if (goal !== undefined) return said(measured <= goal, `at most ${goal} ${unit}`);
  if (maxRatio !== undefined) return said(measured / reference <= maxRatio, `at most ${maxRatio} x`);
  if (minRatio !== undefined) return said(measured / reference >= minRatio, `at least ${minRatio} x`);
  return '';
}
