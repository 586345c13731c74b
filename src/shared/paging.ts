import { z } from 'zod';
import { queryNumber } from './answers.ts';

/** `page` and `limit` of every paged list; other values are refused (docs/rules.md, API). */
export const pagingQuery = z.object({
  page: queryNumber(1, 1_000_000_000).prefault(1).describe('The page, counted from 1'),
  limit: queryNumber(1, 1000).prefault(10).describe('Entries per page'),
});

/** The page that a list was asked for. */
export type Paging = z.output<typeof pagingQuery>;

const pagination = z
  .object({
    page: z.int(),
    limit: z.int().describe('Entries per page'),
    totalPages: z.int(),
    totalItems: z.int().describe('Entries on all pages'),
    hasNextPage: z.boolean(),
    hasPrevPage: z.boolean(),
  })
  .meta({ id: 'Pagination', description: 'The place of a page in its list' });

export const paginationExample = {
  page: 1,
  limit: 10,
  totalPages: 1,
  totalItems: 1,
  hasNextPage: false,
  hasPrevPage: false,
};

export type Pagination = z.infer<typeof pagination>;

export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), pagination });
}
