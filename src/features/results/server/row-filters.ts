import { readPositions } from '#shared/positions.ts';
import type { RowSort } from '#shared/row-sorts.ts';
import { normalisePart } from '#shared/search.ts';

/** The filters of a ticket's rows, as the API names them. A row must pass all given ones. */
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
  /** The number of another ticket: rows whose identifier it has too, or with `shared` false has not. */
  compared_with?: string | undefined;
  shared?: 'true' | 'false' | undefined;
};

export type Sorting = { sort: RowSort; order: 'asc' | 'desc' };

/** Filters, order, and the day (YYYY-MM-DD) from which expiry counts. */
export type RowQuestion = Narrowing & Sorting & { today: string };

/** Returns whether a question asks for the rows in the order of the sheet. */
export function isInSheetOrder({ sort, order }: Sorting): boolean {
  return sort === 'position' && order === 'asc';
}

/** Returns whether no filter of a question can leave a row out. */
export function isWhole(question: Narrowing): boolean {
  return criteriaOf(question).every((value) => value === null);
}

/** Lists the values that `askedRows` compares rows with; null for a filter that is not given. */
export function criteriaOf(asked: Narrowing): unknown[] {
  const { status = 'all', activation, state, reason, type, warranty } = asked;
  const { ends_from, ends_to, ends_within, expired, q, positions, compared_with } = asked;
  const given = [
    status === 'all' ? null : (statusAliases[status] ?? status),
    activation,
    state,
    reason,
    type,
    warranty,
    ends_from,
    ends_to,
    ends_within,
    expired && expired === 'true',
    q ? withoutBlanks(q) : null,
    // A search without letters and digits matches no identifier.
    q ? normalisePart(q) || null : null,
    positions && `{${readPositions(positions).map(([lo, hi]) => `[${lo},${hi}]`)}}`,
    compared_with && Number(compared_with),
    compared_with && asked.shared !== 'false',
  ];
  return given.map((value) => value ?? null);
}

/** Other names of values of `status`. */
const statusAliases: Record<string, string> = { active: 'activated', inactive: 'unactivated' };

const withoutBlanks = (text: string) => text.replace(/[\s\p{Cf}]/gu, '');
