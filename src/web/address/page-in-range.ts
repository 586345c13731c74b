import { useEffect } from 'react';
import type { Pagination } from '#shared/paging.ts';
import { useUnlessLeaving } from './pending-navigation.ts';

/** Steps back to the last page when the present one lies past the end, as after a deletion. */
export function usePageInRange(pagination: Pagination | undefined, goTo: (page: number) => void): void {
  const last = pagination?.totalPages ?? 0;
  const isPast = pagination !== undefined && last >= 1 && pagination.page > last;
  const unlessLeaving = useUnlessLeaving();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new setter is no reason to step back again
  useEffect(() => {
    if (isPast) unlessLeaving(() => goTo(last));
  }, [isPast, last]);
}
