import type { RowSort } from '#shared/row-sorts.ts';
import type { PositionSet } from './position-set.ts';
import type { RowGroup } from './row-index.queries.ts';
import { dayNumber, noDay, type RowIndex } from './row-index.ts';

/** What rows are narrowed by, as the API names it; everything that is there holds together. */
export type Narrowing = {
  status?: string | undefined;
  state?: RowGroup['state'] | undefined;
  activation?: 'activated' | 'unactivated' | 'unknown' | undefined;
  reason?: string | undefined;
  type?: string | undefined;
  warranty?: string | undefined;
  ends_from?: string | undefined;
  ends_to?: string | undefined;
  /** Days from today on. */
  ends_within?: number | undefined;
  expired?: 'true' | 'false' | undefined;
  q?: string | undefined;
  /** As the API takes them: `1,4,10-25`. */
  positions?: string | undefined;
};

export type Sorting = { sort: RowSort; order: 'asc' | 'desc' };

/** Whether rows are asked for in the order of the sheet and, but for `status`, all of them. */
export function isInSheetOrder(asked: Narrowing & Sorting): boolean {
  return asked.sort === 'position' && asked.order === 'asc' && narrowings.every((by) => !asked[by]);
}

const narrowings = [
  ...(['state', 'activation', 'reason', 'type', 'warranty'] as const),
  ...(['ends_from', 'ends_to', 'ends_within', 'expired', 'q', 'positions'] as const),
];

/** Whether the rows of a group belong to what is asked for, as far as all of them are alike. */
function includesGroup(group: RowGroup, narrowing: Narrowing): boolean {
  const { status = 'all', state, activation, reason, type, warranty } = narrowing;
  return (
    (status === 'all' || hasStatus(group, status)) &&
    (state === undefined || group.state === state) &&
    (activation === undefined || hasActivation(group, activation)) &&
    (reason === undefined || group.reason === reason) &&
    (type === undefined || group.type === type) &&
    (warranty === undefined || group.warranty_title === warranty)
  );
}

/** The words of `status`; active and inactive stand for activated and unactivated. */
function hasStatus(group: RowGroup, status: string): boolean {
  if (status === 'failed' || status === 'pending') return group.state === status;
  return hasActivation(group, status === 'active' || status === 'activated' ? 'activated' : 'unactivated');
}

function hasActivation(group: RowGroup, activation: 'activated' | 'unactivated' | 'unknown'): boolean {
  return group.state === 'done' && (group.activation_status ?? 'unknown') === activation;
}

function includesDay(day: number, narrowing: Narrowing, today: number): boolean {
  const { ends_from: from, ends_to: to, ends_within: within, expired } = narrowing;
  const isAny = from === undefined && to === undefined && within === undefined && expired === undefined;
  if (isAny) return true;
  if (day === noDay) return false;
  return (
    (from === undefined || day >= dayNumber(from)) &&
    (to === undefined || day <= dayNumber(to)) &&
    (within === undefined || (day >= today && day <= today + within)) &&
    (expired === undefined || (expired === 'true') === day < today)
  );
}

/**
 * The rows that belong to what is asked for, by their places in the index, in the order of the sheet. Serials are not
 * looked at.
 * @param among sets of positions that a row has to be in as well
 */
export function narrow(
  { first, groups, groupOf, days, dayOf }: RowIndex,
  narrowing: Narrowing,
  among: PositionSet[],
  today: string,
): Int32Array {
  const now = dayNumber(today);
  const groupIs = Uint8Array.from(groups, (group) =>
    Number(group !== null && includesGroup(group, narrowing)),
  );
  const dayIs = Uint8Array.from(days, (day) => Number(includesDay(day, narrowing, now)));
  const rows = new Int32Array(groupOf.length);
  let count = 0;
  for (let row = 0; row < groupOf.length; row++) {
    if (groupIs[groupOf[row] ?? 0] === 1 && dayIs[dayOf[row] ?? 0] === 1) rows[count++] = row;
  }
  return among.reduce(
    (left, positions) => left.filter((row) => positions.has(first + row)),
    rows.subarray(0, count),
  );
}
