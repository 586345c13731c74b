import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const folders: Record<string, string> = {
  '#app/': 'src/app/',
  '#features/': 'src/features/',
  '#server/': 'src/server/',
  '#web/': 'src/web/',
  '#shared/': 'src/shared/',
  '#tests/': 'tests/',
};

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
  for (const file of globSync(['src/**/*.ts', 'tests/**/*.ts'], { cwd: root })) {
    const source = readFileSync(join(root, file), 'utf8');
    // A name of a module in quotes, wherever it stands: threads and processes are named like imports.
    for (const [, name = ''] of source.matchAll(/['"`]([#.]?[\w@./-]+\.ts)['"`]/g)) {
      const used = resolve(name, file);
      found.set(used, [...(found.get(used) ?? []), file]);
    }
  }
  return found;
}

function resolve(name: string, file: string): string {
  if (name.startsWith('.')) return join(dirname(file), name);
  const alias = name.slice(0, name.indexOf('/') + 1);
  return `${folders[alias] ?? alias}${name.slice(alias.length)}`;
}
