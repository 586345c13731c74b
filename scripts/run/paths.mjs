import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const inRoot = (...names) => join(root, ...names);
/** Files that these scripts keep between runs; not under version control. */
export const cache = inRoot('.cache');
/** Node's compile cache, which all processes share. It also holds JavaScript made from TypeScript. */
export const compiled = inRoot('.cache', 'compiled');
