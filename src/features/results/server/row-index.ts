import type { Queryable } from '#server/db.ts';
import { findBounds } from './results.queries.ts';
import { listRowGroups, type RowGroup, readSerialRanks } from './row-index.queries.ts';

/**
 * What narrowing, sorting and counting have to know of each row of a ticket, in memory: twelve bytes a row at most. Rows
 * stand by position from `first` on.
 */
export type RowIndex = {
  first: number;
  /** Rows that are alike in all but their serial and their days. The first one has no rows. */
  groups: (RowGroup | null)[];
  /** The group of each row; 0 where no row is seen. */
  groupOf: Int32Array;
  /** The end days of the rows, ascending; the last one, `noDay`, stands for none. */
  days: number[];
  /** The place in `days` of each row. */
  dayOf: Int32Array;
};

/** Instead of the day where a row has none. */
export const noDay = 0x7fffffff;

/** A calendar day (YYYY-MM-DD) as the index has it. */
export function dayNumber(day: string): number {
  return (Date.parse(`${day}T00:00:00Z`) - Date.UTC(2000, 0, 1)) / 86_400_000;
}

/** Positions that one statement reads. */
const positionsAtOnce = 100_000;

/** Reads the index of a ticket's rows; those of one moment only within a transaction that sees one moment. */
export async function loadRowIndex(db: Queryable, ticketId: number): Promise<RowIndex> {
  const { lo, hi } = await findBounds(db, ticketId);
  const first = lo ?? 1;
  const length = hi === null ? 0 : hi - first + 1;
  const groups = new Places<RowGroup | null>();
  groups.of('', null);
  const days = new Places<number>();
  const groupOf = new Int32Array(length);
  const dayOf = new Int32Array(length);
  for (let from = first; from < first + length; from += positionsAtOnce) {
    const to = Math.min(from + positionsAtOnce, first + length) - 1;
    for (const { rows, ...group } of await listRowGroups(db, ticketId, from, to)) {
      const place = groups.of(JSON.stringify(Object.values(group)), group);
      for (let at = 0; at < rows.length; at += 8) {
        const row = rows.readInt32BE(at) - first;
        const day = rows.readInt32BE(at + 4);
        groupOf[row] = place;
        dayOf[row] = days.of(day, day);
      }
    }
  }
  return { first, groups: groups.values, groupOf, ...sortDays(days.values, dayOf) };
}

/** Gives each different value its place, in the order in which they come. */
class Places<T> {
  readonly values: T[] = [];
  readonly #places = new Map<unknown, number>();

  of(key: unknown, value: T): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.values.length);
    return this.values.push(value) - 1;
  }
}

function sortDays(found: number[], dayOf: Int32Array): Pick<RowIndex, 'days' | 'dayOf'> {
  const days = [...new Set([...found, noDay])].sort((a, b) => a - b);
  const places = new Map(days.map((day, place) => [day, place]));
  const sorted = found.map((day) => places.get(day) ?? 0);
  return { days, dayOf: dayOf.map((place) => sorted[place] ?? 0) };
}

/** Where each row of an index stands by its serial; rows of one serial stand at the same place. */
export async function loadSerialRanks(
  db: Queryable,
  ticketId: number,
  { first, groupOf }: RowIndex,
): Promise<Int32Array> {
  const ranks = new Int32Array(groupOf.length);
  const read = await readSerialRanks(db, ticketId);
  for (let at = 0; at < read.length; at += 8) {
    const row = read.readInt32BE(at) - first;
    if (row >= 0 && row < ranks.length) ranks[row] = read.readInt32BE(at + 4);
  }
  return ranks;
}
