/** A list or an object that is being searched. */
type Level = { path: string; value: object; names: Iterator<string | number> };

/**
 * Finds the first text in a parsed body, names of fields included. Reads one entry after the other, because copies of a
 * list of millions would take all memory.
 * @returns the path of its field, as `serials.1`; undefined without such a text
 */
export function findText(body: unknown, isWanted: (text: string) => boolean): string | undefined {
  const isFound = (value: unknown) => typeof value === 'string' && isWanted(value);
  if (isFound(body)) return '';
  // Not recursive: a body may be nested deeper than the call stack.
  const levels = isObject(body) ? [enter(body, '')] : [];
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const { value: name, done } = level.names.next();
    if (done) {
      levels.pop();
      continue;
    }
    const inner = (level.value as Record<string | number, unknown>)[name];
    if (isFound(name) || isFound(inner)) return pathOf(level, name);
    if (isObject(inner)) levels.push(enter(inner, pathOf(level, name)));
  }
  return undefined;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function enter(value: object, path: string): Level {
  return { path, value, names: Array.isArray(value) ? value.keys() : Object.keys(value).values() };
}

const pathOf = ({ path }: Level, name: string | number) => (path === '' ? String(name) : `${path}.${name}`);
