const windowSize = 5;

/**
 * The page buttons to draw: five around the present page, first and last as shortcuts where they are not among
 * them, and `'gap'` where pages are left out.
 */
export function pageWindow(page: number, totalPages: number): (number | 'gap')[] {
  const last = Math.min(totalPages, Math.max(1, page - 2) + windowSize - 1);
  const first = Math.max(1, last - windowSize + 1);
  const pages: (number | 'gap')[] = [];
  if (first > 1) pages.push(1);
  if (first > 2) pages.push('gap');
  for (let number = first; number <= last; number += 1) pages.push(number);
  if (last < totalPages - 1) pages.push('gap');
  if (last < totalPages) pages.push(totalPages);
  return pages;
}
