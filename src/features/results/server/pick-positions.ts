import type { RowSort } from '#shared/row-sorts.ts';
import type { Sorting } from './narrowing.ts';
import type { RowGroup } from './row-index.queries.ts';
import type { RowIndex } from './row-index.ts';

/** Where each row stands by what is sorted by: ranks count from 0, the last one is that of rows without the value. */
type Ranks = { of: (row: number) => number; count: number };

/**
 * The positions of one page of some rows of an index in the order asked for: a counting sort, two passes over the rows
 * however far away the page is.
 * @param rows their places in the index, ascending
 * @param serialRanks where rows stand by their serial; only looked at when they are sorted by it
 */
export function pickPositions(
  index: RowIndex,
  rows: Int32Array,
  sorting: Sorting,
  { offset, limit }: { offset: number; limit: number },
  serialRanks?: Int32Array,
): Int32Array {
  const { first } = index;
  if (sorting.sort === 'position') {
    const sorted = sorting.order === 'asc' ? rows : rows.toReversed();
    return sorted.slice(offset, offset + limit).map((row) => first + row);
  }
  const ranks = rankRows(index, sorting.sort, serialRanks);
  const rankOf = new Int32Array(rows.length);
  for (let nth = 0; nth < rows.length; nth++) rankOf[nth] = ranks.of(rows[nth] ?? 0);
  const starts = placeRanks(rankOf, ranks.count, sorting.order);
  const positions = new Int32Array(Math.max(0, Math.min(limit, rows.length - offset)));
  for (let nth = 0, missing = positions.length; missing > 0; nth++) {
    const rank = rankOf[nth] ?? 0;
    const place = starts[rank] ?? 0;
    starts[rank] = place + 1;
    if (place < offset || place - offset >= positions.length) continue;
    positions[place - offset] = first + (rows[nth] ?? 0);
    missing -= 1;
  }
  return positions;
}

/** Where the rows of each rank begin in the order asked for; rows without the value come last either way. */
function placeRanks(rankOf: Int32Array, count: number, order: Sorting['order']): Int32Array {
  const sizes = new Int32Array(count);
  for (let nth = 0; nth < rankOf.length; nth++) {
    const rank = rankOf[nth] ?? 0;
    sizes[rank] = (sizes[rank] ?? 0) + 1;
  }
  const starts = new Int32Array(count);
  const last = count - 1;
  let before = 0;
  for (let nth = 0; nth <= last; nth++) {
    const rank = order === 'asc' || nth === last ? nth : last - 1 - nth;
    starts[rank] = before;
    before += sizes[rank] ?? 0;
  }
  return starts;
}

function rankRows(
  index: RowIndex,
  sort: Exclude<RowSort, 'position'>,
  serialRanks: Int32Array | undefined,
): Ranks {
  const { days, dayOf, groupOf } = index;
  if (sort === 'coverage_end_date') return { of: (row) => dayOf[row] ?? 0, count: days.length };
  // Ranks of serials count from 1; every row has one.
  if (sort === 'serial_number') {
    return { of: (row) => (serialRanks?.[row] ?? 1) - 1, count: groupOf.length + 1 };
  }
  return rankByGroup(index, (group) => group[sort]);
}

function rankByGroup({ groups, groupOf }: RowIndex, read: (group: RowGroup) => string | null): Ranks {
  const valued = groups.map((group) => (group ? read(group) : null));
  const values = [...new Set(valued.filter((value) => value !== null))].sort();
  const places = new Map(values.map((value, place) => [value, place]));
  const rankOf = Int32Array.from(valued, (value) =>
    value === null ? values.length : (places.get(value) ?? 0),
  );
  return { of: (row) => rankOf[groupOf[row] ?? 0] ?? 0, count: values.length + 1 };
}
