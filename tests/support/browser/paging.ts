import { describePage } from '#shared/describe-page.ts';
import type { Pagination } from '#shared/paging.ts';

/** The first page of a list. */
export const onePage = (totalItems: number, limit = 10): Pagination => describePage(1, limit, totalItems);

/** A list that is one page long. */
export const pageOf = <T>(data: T[]): { data: T[]; pagination: Pagination } => ({
  data,
  pagination: onePage(data.length),
});
