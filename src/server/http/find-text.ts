/**
 * Finds a text in a parsed body, names of fields included.
 * @returns the path of its field, as `serials.1`; undefined without such a text
 */
export function findText(body: unknown, isWanted: (text: string) => boolean): string | undefined {
  const left: [value: unknown, path: string][] = [[body, '']];
  for (let next = left.pop(); next; next = left.pop()) {
    const [value, path] = next;
    if (typeof value === 'string' && isWanted(value)) return path;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      const innerPath = path === '' ? name : `${path}.${name}`;
      if (isWanted(name)) return innerPath;
      left.push([inner, innerPath]);
    }
  }
  return undefined;
}
