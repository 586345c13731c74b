import type { RowCounts, RowValues } from '../results.contract.ts';
import { dayNumber, noDay, type RowIndex } from './row-index.ts';

/** Coverage that ends in so many days, or sooner, ends soon. */
const soonDays = 30;

/** What the rows of a ticket are, and what they can be narrowed by, counted; without an index there are none. */
export function countRows(
  index: RowIndex | undefined,
  today: string,
): { counts: RowCounts; values: RowValues } {
  const sizes = index ? sizeGroups(index) : new Int32Array();
  return { counts: countOutcomes(index, sizes, today), values: countValues(index, sizes) };
}

function countOutcomes(index: RowIndex | undefined, sizes: Int32Array, today: string): RowCounts {
  const counts: RowCounts = {
    ...{ all: 0, activated: 0, unactivated: 0, unknown: 0, failed: 0, pending: 0, ending_30: 0, expired: 0 },
    reasons: {},
  };
  if (!index) return counts;
  const { groups, groupOf, days, dayOf } = index;
  const ofDay = new Int32Array(days.length);
  for (let row = 0; row < groupOf.length; row++) {
    if (groupOf[row] !== 0) ofDay[dayOf[row] ?? 0] = (ofDay[dayOf[row] ?? 0] ?? 0) + 1;
  }
  for (const [place, group] of groups.entries()) {
    const size = sizes[place] ?? 0;
    if (!group) continue;
    counts.all += size;
    counts[group.state === 'done' ? (group.activation_status ?? 'unknown') : group.state] += size;
    if (group.state === 'failed' && group.reason) {
      counts.reasons[group.reason] = (counts.reasons[group.reason] ?? 0) + size;
    }
  }
  const now = dayNumber(today);
  for (const [place, day] of days.entries()) {
    const size = ofDay[place] ?? 0;
    if (day < now) counts.expired += size;
    else if (day <= now + soonDays && day !== noDay) counts.ending_30 += size;
  }
  return counts;
}

/** How many rows each group has. */
function sizeGroups({ groups, groupOf }: RowIndex): Int32Array {
  const sizes = new Int32Array(groups.length);
  for (let row = 0; row < groupOf.length; row++) {
    const group = groupOf[row] ?? 0;
    sizes[group] = (sizes[group] ?? 0) + 1;
  }
  return sizes;
}

/** As many different values as a list to choose from is good for. */
const mostValues = 100;

/** The commonest types and warranties of a ticket's rows, each with its count. */
function countValues(index: RowIndex | undefined, sizes: Int32Array): RowValues {
  const types = new Map<string, number>();
  const warranties = new Map<string, number>();
  const add = (counts: Map<string, number>, value: string | null, size: number) => {
    if (value !== null && size > 0) counts.set(value, (counts.get(value) ?? 0) + size);
  };
  for (const [place, group] of (index?.groups ?? []).entries()) {
    if (!group) continue;
    add(types, group.type, sizes[place] ?? 0);
    add(warranties, group.warranty_title, sizes[place] ?? 0);
  }
  return { types: listCommonest(types), warranties: listCommonest(warranties) };
}

function listCommonest(counts: Map<string, number>): { value: string; count: number }[] {
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, mostValues);
}
