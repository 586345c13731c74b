/**
 * Returns the counts of all kinds, and the number of changes of the asked kind, or of all without one.
 * @param counted a kind without changes is missing
 */
export function sumKinds<Kind extends string>(
  kinds: readonly Kind[],
  counted: readonly { kind: Kind; count: number }[],
  asked: Kind | undefined,
): { counts: Record<Kind, number>; total: number } {
  const countOf = (kind: Kind) => counted.find((row) => row.kind === kind)?.count ?? 0;
  const counts = Object.fromEntries(kinds.map((kind) => [kind, countOf(kind)])) as Record<Kind, number>;
  const shown = kinds.filter((kind) => asked === undefined || asked === kind);
  return { counts, total: shown.map(countOf).reduce((sum, count) => sum + count, 0) };
}
