import { m } from '#shared/texts/messages.js';
import { columnLetter, columnNumber } from '../reading/column-letter.ts';

/** The heads that stand side by side in every sheet of the product: results, devices, and results in an uploaded sheet. */
const core = [
  ...[m.server_column_type, m.server_column_status, m.server_column_purchase_date, m.server_column_warranty],
  ...[m.server_column_coverage_start, m.server_column_coverage_end, m.server_column_expires],
];
/** The heads that may follow them. */
const others = [
  ...[m.server_column_fetched_at, m.server_column_reason, m.server_column_original, m.server_column_source],
  ...[m.server_column_attempts, m.server_column_egress, m.server_column_cached],
  ...[m.server_column_first_seen, m.server_column_last_checked, m.server_column_changed_at],
];

/**
 * Finds the columns of a sheet with the product's answers, in either language: their heads may equal the names of own columns.
 * @param heads the heads by the letter of their column
 * @returns the letters
 */
export function findProductColumns(heads: Readonly<Record<string, string>>): Set<string> {
  const after = (letter: string, steps: number) => columnLetter(columnNumber(letter) + steps);
  for (const locale of ['en', 'id'] as const) {
    const translate = (list: typeof core) => list.map((head) => head({}, { locale }));
    const coreHeads = translate(core);
    const first = Object.keys(heads).find((letter) =>
      coreHeads.every((head, nth) => heads[after(letter, nth)] === head),
    );
    if (first === undefined) continue;
    const columns = coreHeads.map((_, nth) => after(first, nth));
    // Each head once: an own column behind them may have the name of one.
    const remainingHeads = new Set<string>(translate(others));
    for (
      let next = after(first, columns.length);
      remainingHeads.delete(heads[next] ?? '');
      next = after(next, 1)
    )
      columns.push(next);
    return new Set(columns);
  }
  return new Set();
}
