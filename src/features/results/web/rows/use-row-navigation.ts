import { useEffect, useEffectEvent, useState } from 'react';
import type { ResultRow } from '#features/results/results.contract.ts';
import type { Pagination } from '#shared/paging.ts';
import { useUnlessLeaving } from '#web/address/pending-navigation.ts';

type Answer = { data: ResultRow[]; pagination: Pagination };
type Target = {
  page: number;
  end: 0 | -1;
  /** The open row and the row in the address when the page changed. */
  from: number;
  named: number;
};

/**
 * Moves from the open row across pages: after the last row of a page follows the first row of the next.
 * @returns the open row, and functions that open the previous and the next page; undefined where there is none
 */
export function useRowNavigation(
  answer: Answer | undefined,
  row: number,
  onPlace: (change: { page: number } | { row: number }) => void,
) {
  const unlessLeaving = useUnlessLeaving();
  const [target, setTarget] = useState<Target | null>(null);
  // The move ends when the address names another row; the previous row may then be opened again.
  if (target !== null && row !== target.from && row !== target.named) setTarget(null);
  // The address changes after the page, so the reached row stays open until then.
  const isThere = target?.from === row && answer?.pagination.page === target.page;
  const reached = isThere ? answer.data.at(target.end)?.position : undefined;
  const arrive = useEffectEvent((position: number) => unlessLeaving(() => onPlace({ row: position })));
  useEffect(() => {
    if (reached !== undefined) arrive(reached);
  }, [reached]);

  const { page = 1, hasPrevPage = false, hasNextPage = false } = answer?.pagination ?? {};
  const turnTo = (next: number, end: 0 | -1) => () => {
    setTarget({ page: next, end, from: reached ?? row, named: row });
    onPlace({ page: next });
  };
  return {
    position: reached ?? row,
    turn: {
      back: hasPrevPage ? turnTo(page - 1, -1) : undefined,
      on: hasNextPage ? turnTo(page + 1, 0) : undefined,
    },
  };
}
