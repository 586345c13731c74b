import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

type Package = {
  version?: string;
  resolved?: string;
  optional?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

const read = async (name: string) =>
  JSON.parse(await readFile(new URL(`../${name}`, import.meta.url), 'utf8'));
const { packages } = (await read('package-lock.json')) as { packages: Record<string, Package> };

test('every direct dependency is pinned to one version', async () => {
  const { dependencies, devDependencies, optionalDependencies } = (await read('package.json')) as Package;
  const ranges = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
  assert.deepEqual(
    ranges.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
    [],
  );
});

test('the lockfile works with any registry', () => {
  assert.deepEqual(
    Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined),
    [],
  );
});

test('the lockfile names the packages of every platform', () => {
  // A registry that lacks some of them makes npm leave them out without a word, and `npm ci` then refuses the file.
  const named = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')));
  const wanted = Object.values(packages).flatMap(({ optionalDependencies }) =>
    Object.keys(optionalDependencies ?? {}),
  );
  assert.deepEqual(
    wanted.filter((name) => !named.has(name)),
    [],
  );
});

test('docs/dependencies.md says of every direct dependency why it is there, and of no other', async () => {
  const { dependencies, devDependencies, optionalDependencies } = (await read('package.json')) as Package;
  const direct = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const page = await readFile(new URL('../docs/dependencies.md', import.meta.url), 'utf8');
  const [tables = ''] = page.split('## What we write by hand');
  const rows = tables.split('\n').filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) =>
    Array.from(row.split('|')[1]?.matchAll(/`([^`]+)`/g) ?? [], ([, name = '']) => name),
  );
  const covers = (name: string, dependency: string) =>
    name.endsWith('*') ? dependency.startsWith(name.slice(0, -1)) : dependency === name;
  assert.deepEqual(
    direct.filter((dependency) => !named.some((name) => covers(name, dependency))),
    [],
  );
  assert.deepEqual(
    named.filter((name) => !direct.some((dependency) => covers(name, dependency))),
    [],
  );
});
