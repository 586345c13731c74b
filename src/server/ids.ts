/** The number behind an opaque `_id` that a caller sent; undefined for anything that no row can have. */
export function parseId(id: string): number | undefined {
  return /^\d{1,15}$/.test(id) ? Number(id) : undefined;
}
