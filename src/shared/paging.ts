import { z } from 'zod';
import { queryNumber } from './answers.ts';
import { describePage } from './describe-page.ts';

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

export type Pagination = z.infer<typeof pagination>;

export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), pagination });
}

/** Returns an example of a page with a single entry. */
export function examplePage<T>(entry: T) {
  return { data: [entry], pagination: describePage(1, 10, 1) };
}
