import type { Pagination } from '#shared/paging.ts';

/** The first page of a list. */
export const onePage = (totalItems: number, limit = 10): Pagination => ({
  page: 1,
  limit,
  totalPages: Math.ceil(totalItems / limit),
  totalItems,
  hasNextPage: totalItems > limit,
  hasPrevPage: false,
});

/** A list that is one page long. */
export const pageOf = <T>(data: T[]): { data: T[]; pagination: Pagination } => ({
  data,
  pagination: onePage(data.length),
});
