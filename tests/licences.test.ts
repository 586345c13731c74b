import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

type Package = { version?: string; license?: string; dev?: boolean };

const read = async (name: string) =>
  JSON.parse(await readFile(new URL(`../${name}`, import.meta.url), 'utf8'));
const readLockfile = async (name: string) =>
  Object.entries(((await read(name)) as { packages: Record<string, Package> }).packages);
const allowed = (await read('licences.json')) as {
  /** Licences allowed for dependencies of the product. */
  product: string[];
  /** Licences that are also allowed for building and testing. */
  development: string[];
  /** Packages without a licence in package.json, by name and version: their licence and where it was found. */
  undeclared: Record<string, { licence: string; source: string }>;
};

const installed = [
  ...(await readLockfile('package-lock.json')),
  ...(await readLockfile('bench/package-lock.json')),
]
  .filter(([path]) => path !== '')
  .map(([path, { version, license, dev }]) => ({
    name: `${path.replace(/^.*node_modules\//, '')}@${version}`,
    license,
    dev: dev === true,
  }));

test('every installed package has a licence of the allow-list in licences.json', () => {
  const refused = installed.filter(({ name, license, dev }) => {
    const expression = license ?? allowed.undeclared[name]?.licence ?? 'none';
    return !isAllowed(expression, dev ? [...allowed.product, ...allowed.development] : allowed.product);
  });
  assert.deepEqual(refused, []);
});

test('every licence and package in licences.json is in use', () => {
  const used = installed.flatMap(
    ({ name, license }) => (license ?? allowed.undeclared[name]?.licence)?.match(/[\w./+-]+/g) ?? [],
  );
  assert.deepEqual(
    [...allowed.product, ...allowed.development].filter((licence) => !used.includes(licence)),
    [],
  );
  const silent = installed.filter(({ license }) => license === undefined).map(({ name }) => name);
  assert.deepEqual(Object.keys(allowed.undeclared).sort(), silent.sort());
});

test('one licence of an OR expression is enough, and all licences of an AND expression are needed', () => {
  const may = (expression: string) => isAllowed(expression, ['MIT', 'Zlib']);
  assert.deepEqual(['MIT', '(MIT OR GPL-3.0-or-later)', 'MIT AND Zlib'].map(may), [true, true, true]);
  assert.deepEqual(['GPL-3.0-or-later', 'MIT AND GPL-2.0-only', 'none'].map(may), [false, false, false]);
});

/** Returns whether the licences of a list satisfy an SPDX expression without nesting. */
function isAllowed(expression: string, list: readonly string[]): boolean {
  const bare = expression.replace(/^\((.*)\)$/, '$1');
  return bare
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => list.includes(licence)));
}
