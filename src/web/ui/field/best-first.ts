/**
 * Ranks how well texts match a typed text: 0, one is equal; 1, one begins with it; 2, one contains it; 3, together they
 * contain all its words; undefined, no match.
 */
function rankOf(texts: string[], typed: string): number | undefined {
  if (texts.includes(typed)) return 0;
  if (texts.some((text) => text.startsWith(typed))) return 1;
  if (texts.some((text) => text.includes(typed))) return 2;
  return typed.split(/\s+/).every((word) => texts.some((text) => text.includes(word))) ? 3 : undefined;
}

/**
 * Returns the items that match a typed text, best first: a complete number or code comes before longer ones that contain
 * it. Equal matches keep their order.
 * @param textsOf the texts to compare, e.g. an option's value and label
 */
export function bestFirst<T>(items: readonly T[], typed: string, textsOf: (item: T) => string[]): T[] {
  const needle = typed.trim().toLowerCase();
  if (needle === '') return [...items];
  return items
    .flatMap((item) => {
      const rank = rankOf(
        textsOf(item).map((text) => text.toLowerCase()),
        needle,
      );
      return rank === undefined ? [] : [{ item, rank }];
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
