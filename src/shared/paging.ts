import { z } from 'zod';

/** `page` and `limit` of every paged list; other values are refused (docs/rules.md, API). */
export const pagingQuery = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(1000).default(10),
});

const pagination = z.object({
  page: z.int(),
  limit: z.int(),
  totalPages: z.int(),
  totalItems: z.int(),
  hasNextPage: z.boolean(),
  hasPrevPage: z.boolean(),
});

export type Pagination = z.infer<typeof pagination>;

/** Returns the schema of a paged list of items. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), pagination });
}
