/**
 * Returns the counts of all kinds, and the number of changes of the selected kind, or of all without one.
 * @param rows a kind without changes is missing
 */
export function sumKinds<Kind extends string>(
  kinds: readonly Kind[],
  rows: readonly { kind: Kind; count: number }[],
  selectedKind: Kind | undefined,
): { counts: Record<Kind, number>; total: number } {
  const countOf = (kind: Kind) => rows.find((row) => row.kind === kind)?.count ?? 0;
  const counts = Object.fromEntries(kinds.map((kind) => [kind, countOf(kind)])) as Record<Kind, number>;
  const selectedKinds = kinds.filter((kind) => selectedKind === undefined || selectedKind === kind);
  return { counts, total: selectedKinds.map(countOf).reduce((sum, count) => sum + count, 0) };
}
