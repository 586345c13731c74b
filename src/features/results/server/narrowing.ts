import { readPositions } from '#shared/positions.ts';
import type { RowSort } from '#shared/row-sorts.ts';
import { normalisePart } from '#shared/search.ts';

/** The filters of a ticket's rows, as the API names them; a row has to pass all that are given. */
export type Narrowing = {
  status?: string | undefined;
  state?: 'pending' | 'done' | 'failed' | undefined;
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

/** The rows that are asked for: filters, order, and the day (YYYY-MM-DD) that expiry counts from. */
export type RowQuestion = Narrowing & Sorting & { today: string };

/** Returns whether a question asks for the rows in the order of the sheet. */
export function isInSheetOrder({ sort, order }: Sorting): boolean {
  return sort === 'position' && order === 'asc';
}

/** Returns whether no filter of a question can leave a row out. */
export function isWhole(question: Narrowing): boolean {
  return criteriaOf(question).every((value) => value === null);
}

/** Lists the values that `askedRows` compares rows with; null where a filter is not given. */
export function criteriaOf(asked: Narrowing): unknown[] {
  const { status = 'all', activation, state, reason, type, warranty } = asked;
  const { ends_from, ends_to, ends_within, expired, q, positions } = asked;
  const given = [
    ...[
      status === 'all' ? null : (statusAliases[status] ?? status),
      activation,
      state,
      reason,
      type,
      warranty,
    ],
    ...[ends_from, ends_to, ends_within, expired && expired === 'true'],
    // Where nothing of it can stand in an identifier, it stands in none.
    ...[q ? withoutBlanks(q) : null, q ? normalisePart(q) || null : null],
    positions && `{${readPositions(positions).map(([lo, hi]) => `[${lo},${hi}]`)}}`,
  ];
  return given.map((value) => value ?? null);
}

/** Other words of `status`. */
const statusAliases: Record<string, string> = { active: 'activated', inactive: 'unactivated' };

const withoutBlanks = (text: string) => text.replace(/[\s\p{Cf}]/gu, '');
