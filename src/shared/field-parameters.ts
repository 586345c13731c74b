// Parameters of queries about the own columns of a company: `field.KEY`, `field.KEY.contains` and `field.KEY.empty`.

const prefix = 'field.';

/** Groups the parameters of own columns into one, `field`, by the rest of their names: `{ "employee.contains": "siti" }`. */
export function groupFields<T>(query: Record<string, T>): Record<string, T | Record<string, T>> {
  const isField = ([name]: [string, T]) => name.startsWith(prefix);
  const entries = Object.entries(query);
  const fields = entries.filter(isField).map(([name, value]) => {
    const rest = name.slice(prefix.length);
    // Schemas drop this name without a word. With a dot they refuse it, as any other that is no column's.
    return [rest === '__proto__' ? '__proto__.' : rest, value] as const;
  });
  if (fields.length === 0) return query;
  return { ...Object.fromEntries(entries.filter((one) => !isField(one))), field: Object.fromEntries(fields) };
}

/** Lists the parameters of a query with own columns, as addresses have them. */
export function ungroupFields(query: Record<string, unknown>): [name: string, value: unknown][] {
  return Object.entries(query).flatMap(([name, value]) =>
    name === 'field' && typeof value === 'object' && value !== null
      ? Object.entries(value).map(([rest, text]): [string, unknown] => [prefix + rest, text])
      : [[name, value] as [string, unknown]],
  );
}
