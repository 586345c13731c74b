import type { Pagination } from './paging.ts';

/** The pagination object for one page of `totalItems` items; a page past the end is answered as asked for. */
export function describePage(page: number, limit: number, totalItems: number): Pagination {
  const totalPages = Math.ceil(totalItems / limit);
  return { page, limit, totalPages, totalItems, hasNextPage: page < totalPages, hasPrevPage: page > 1 };
}
