/** Filters by own columns, by the rest of the parameter's name: `employee`, `employee.contains`, `employee.empty`. */
export type FieldFilter = Record<string, string> | undefined;

type Part = { key: string; how: string; value: string };

const listParts = (filter: FieldFilter): Part[] =>
  Object.entries(filter ?? {}).map(([name, value]) => {
    const [key = '', how = ''] = name.split('.');
    return { key, how, value };
  });

/** Returns the values of the parameters of `passesFieldFilter`; null for a kind of filter that is not given. */
export function fieldFilterValues(filter: FieldFilter) {
  const parts = listParts(filter);
  const valuesOf = (how: string) => {
    const entries = parts.filter((part) => part.how === how).map(({ key, value }) => [key, value]);
    return entries.length === 0 ? null : (Object.fromEntries(entries) as Record<string, string>);
  };
  const keysOf = (value: string) => {
    const keys = parts.filter((part) => part.how === 'empty' && part.value === value).map(({ key }) => key);
    return keys.length === 0 ? null : keys;
  };
  const exactValues = valuesOf('');
  return {
    // As text, which the statement turns into lower case.
    fieldIs: exactValues && JSON.stringify(exactValues),
    fieldContains: valuesOf('contains'),
    fieldsFilled: keysOf('false'),
    fieldsEmpty: keysOf('true'),
  };
}
