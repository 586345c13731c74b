import { useRef } from 'react';

/**
 * Returns the opened row as the list had it last; undefined if none is open. A row that leaves the list stays open, because
 * it may have been deleted or moved to another page.
 */
export function useLastFound<Row>(
  rows: readonly Row[] | undefined,
  isOpened: (row: Row) => boolean,
): Row | undefined {
  const last = useRef<Row>(undefined);
  last.current = rows?.find(isOpened) ?? last.current;
  return last.current !== undefined && isOpened(last.current) ? last.current : undefined;
}
