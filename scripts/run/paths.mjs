import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const inRoot = (...names) => join(root, ...names);
/** What these scripts remember between runs; not under version control. */
export const cache = inRoot('.cache');
/** What Node compiled, JavaScript made of TypeScript included: no process compiles again what another has. */
export const compiled = inRoot('.cache', 'compiled');
