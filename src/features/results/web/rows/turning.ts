import { useEffect, useEffectEvent, useState } from 'react';
import type { ResultRow } from '#features/results/results.contract.ts';
import type { Pagination } from '#shared/paging.ts';
import { useWhileHere } from '#web/address/while-here.ts';

type Answer = { data: ResultRow[]; pagination: Pagination };
type Target = {
  page: number;
  end: 0 | -1;
  /** The row that was open when the page was turned, and the one that the address named then. */
  from: number;
  named: number;
};

/**
 * Turns the page for the row that is open: past the last row of a page comes the first one of the next.
 * @returns which row is open, and how to turn either way; undefined where there is no page
 */
export function useTurning(
  answer: Answer | undefined,
  row: number,
  onPlace: (change: { page: number } | { row: number }) => void,
) {
  const whileHere = useWhileHere();
  const [target, setTarget] = useState<Target | null>(null);
  // The turn is over once the address names another row; the previous row may then be opened again.
  if (target !== null && row !== target.from && row !== target.named) setTarget(null);
  // The address changes after the page, so the reached row stays open until then.
  const isThere = target?.from === row && answer?.pagination.page === target.page;
  const reached = isThere ? answer.data.at(target.end)?.position : undefined;
  const arrive = useEffectEvent((position: number) => whileHere(() => onPlace({ row: position })));
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
