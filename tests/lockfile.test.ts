import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

type Package = {
  integrity?: string;
  dev?: boolean;
  version?: string;
  resolved?: string;
  optional?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

const read = async (name: string) =>
  JSON.parse(await readFile(new URL(`../${name}`, import.meta.url), 'utf8'));
/** The product, and its benchmarks, which are installed separately. */
const folders = ['', 'bench/'];
const readPackages = async (folder: string) =>
  ((await read(`${folder}package-lock.json`)) as { packages: Record<string, Package> }).packages;

async function readDirect(folder: string): Promise<Record<string, string>> {
  const { dependencies, devDependencies, optionalDependencies }: Package = await read(
    `${folder}package.json`,
  );
  return { ...dependencies, ...devDependencies, ...optionalDependencies };
}

test('every direct dependency is pinned to one version', async () => {
  const ranges = (await Promise.all(folders.map(readDirect))).flatMap(Object.entries);
  assert.deepEqual(
    ranges.filter(([, version]) => !/^(npm:\w+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
    [],
  );
});

test('the lockfiles work with any registry', async () => {
  const packages = (await Promise.all(folders.map(readPackages))).flatMap(Object.entries<Package>);
  assert.deepEqual(
    packages.filter(([, { resolved }]) => resolved !== undefined),
    [],
  );
});

test('every package has a checksum in its lockfile, which npm verifies', async () => {
  for (const folder of folders) {
    const { '': _, ...packages } = await readPackages(folder);
    const unverified = Object.entries(packages).filter(
      ([, { integrity }]) => !integrity?.startsWith('sha512-'),
    );
    assert.deepEqual(unverified, []);
  }
});

test('the lockfiles name the packages of every platform', async () => {
  // With a registry that lacks some of them, npm silently leaves them out, and `npm ci` then refuses the file.
  for (const folder of folders) {
    const packages = await readPackages(folder);
    const named = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')));
    const wanted = Object.values(packages).flatMap(({ optionalDependencies }) =>
      Object.keys(optionalDependencies ?? {}),
    );
    assert.deepEqual(
      wanted.filter((name) => !named.has(name)),
      [],
    );
  }
});

test('packages that are only for benchmarks are dependencies of bench/', async () => {
  const carried = Object.keys(await readPackages('')).map((path) => path.replace(/^.*node_modules\//, ''));
  const peers = Object.keys(await readDirect('bench/'));
  assert.deepEqual(
    peers.filter((peer) => carried.includes(peer)),
    [],
  );
});

test('docs/dependencies.md gives the reason for every direct dependency, and for no other', async () => {
  const direct = (await Promise.all(folders.map(readDirect))).flatMap(Object.keys);
  const page = await readFile(new URL('../docs/dependencies.md', import.meta.url), 'utf8');
  const [lists = ''] = page.split('## What we write by hand');
  const entries = lists.split('\n').filter((line) => line.startsWith('- `'));
  const named = entries.flatMap((entry) =>
    Array.from(entry.split(': ')[0]?.matchAll(/`([^`]+)`/g) ?? [], ([, name = '']) => name),
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
