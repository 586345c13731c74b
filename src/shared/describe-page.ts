import type { Pagination } from './paging.ts';

/** Returns the pagination object for a page of `totalItems` items; a page past the end keeps its number. */
export function describePage(page: number, limit: number, totalItems: number): Pagination {
  const totalPages = Math.ceil(totalItems / limit);
  return { page, limit, totalPages, totalItems, hasNextPage: page < totalPages, hasPrevPage: page > 1 };
}
