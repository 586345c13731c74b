/**
 * The parts of an SQL text that matter: those in which a colon begins no parameter (literals, quoted names, comments, casts),
 * numbered parameters, and `:name`. A colon after a word or a bracket is that of an array slice.
 */
const parts = new RegExp(
  [
    String.raw`(?<!\w)E'(?:\\.|''|[^'\\])*'`,
    `'(?:''|[^'])*'`,
    `"(?:""|[^"])*"`,
    String.raw`--[^\n]*`,
    String.raw`/\*.*?\*/`,
    String.raw`(?<quote>\$(?:[a-z_]\w*)?\$).*?\k<quote>`,
    '::',
    String.raw`(?<number>\$\d+)`,
    String.raw`(?<![\w)\]]):(?<name>[a-z_]\w*)`,
  ].join('|'),
  'gis',
);

/**
 * Replaces the parameters `:name` of an SQL text by `$1`, `$2`, …
 * @returns the text, and the names in the order of their numbers
 * @throws Error if a parameter is not declared, or a declared one is not in the text
 */
export function numberParameters(text: string, declared: string[]): { text: string; names: string[] } {
  const names: string[] = [];
  const numbered = text.replace(parts, (part, ...rest) => {
    const { number, name } = rest.at(-1) as Partial<Record<string, string>>;
    if (number) throw new Error(`a parameter has a name, not the number ${number}: ${text}`);
    if (!name) return part;
    if (!declared.includes(name)) throw new Error(`the parameter :${name} is not declared: ${text}`);
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  const missing = declared.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`the text has no parameter :${missing.join(', :')}: ${text}`);
  return { text: numbered, names };
}
