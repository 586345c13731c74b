/**
 * Finds the first text in a parsed body, names of fields included.
 * @param body at most as deep as bodies are accepted
 * @returns the path of its field, as `serials.1`; undefined without such a text
 */
export function findText(body: unknown, isWanted: (text: string) => boolean, path = ''): string | undefined {
  if (typeof body === 'string') return isWanted(body) ? path : undefined;
  if (typeof body !== 'object' || body === null) return undefined;
  // Not by `Object.keys`, because a copy of the places of a list of millions would take all memory.
  for (const name of Array.isArray(body) ? body.keys() : Object.keys(body)) {
    const inner = path === '' ? String(name) : `${path}.${name}`;
    if (isWanted(String(name))) return inner;
    const found = findText((body as Record<string | number, unknown>)[name], isWanted, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}
