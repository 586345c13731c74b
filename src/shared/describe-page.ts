/** Returns the `Pagination` of a page of `totalItems` items. A page past the end keeps its number. */
export function describePage(page: number, limit: number, totalItems: number) {
  const totalPages = Math.ceil(totalItems / limit);
  return { page, limit, totalPages, totalItems, hasNextPage: page < totalPages, hasPrevPage: page > 1 };
}
