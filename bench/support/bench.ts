import type { Usage } from './tree-usage.ts';

/** One figure beside another of the same kind, measured in the same minutes on the same machine. */
export type Row = {
  what: string;
  unit: string;
  /** What the product shows. */
  measured: number;
  /** What it is compared with, and its figure. */
  beside: string;
  reference: number;
  /** The most that `measured` may be, where there is a goal. */
  goal?: number;
  /** The least that measured ÷ reference may be, where that is the goal. */
  minRatio?: number;
  /** The most that measured ÷ reference may be, where that is the goal. */
  maxRatio?: number;
};

/** A measurement: one module in bench/*.bench.ts exports one as `bench`. */
export type Bench = { title: string; run(): Promise<Row[]> };

/** The value below which a share of the values lies. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The value in the middle. */
export function median(values: number[]): number {
  return quantile(values, 0.5);
}

/** The lines of one measurement, and what all of it took: ours and peers, in all their turns. */
export type Measured = { name: string; rows: Row[]; usage: Usage };

/** All lines as one table for a terminal; what a measurement took stands on its first. */
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
