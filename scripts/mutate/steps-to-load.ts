import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

type Manifest = { imports: Record<string, string> };

let users: Map<string, string[]> | undefined;

/** How many files lie between a file and each that loads it, by an import or as a thread or process of its own. */
export function stepsToLoad(path: string, root: string): Map<string, number> {
  users ??= findUsers(root);
  const steps = new Map([[path, 0]]);
  for (const [file, distance] of steps) {
    for (const user of users.get(file) ?? []) if (!steps.has(user)) steps.set(user, distance + 1);
  }
  return steps;
}

function findUsers(root: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  for (const file of globSync(['src/**/*.ts', 'tests/**/*.ts'], { cwd: root })) {
    const source = readFileSync(join(root, file), 'utf8');
    // A name of a module in quotes, wherever it stands: threads and processes are named like imports.
    for (const [, name = ''] of source.matchAll(/['"`]([#.]?[\w@./-]+\.ts)['"`]/g)) {
      const used = resolve(name, file, imports);
      found.set(used, [...(found.get(used) ?? []), file]);
    }
  }
  return found;
}

function resolve(name: string, file: string, imports: Manifest['imports']): string {
  if (name.startsWith('.')) return join(dirname(file), name);
  const slash = name.indexOf('/') + 1;
  return join(imports[`${name.slice(0, slash)}*`]?.replace('*', name.slice(slash)) ?? name);
}
