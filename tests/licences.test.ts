import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

type Package = { version?: string; license?: string; dev?: boolean };

const read = async (name: string) =>
  JSON.parse(await readFile(new URL(`../${name}`, import.meta.url), 'utf8'));
const readLockfile = async (name: string) =>
  Object.entries(((await read(name)) as { packages: Record<string, Package> }).packages);
const allowed = (await read('licences.json')) as {
  /** May be part of what runs for people. */
  product: string[];
  /** May be used beside these to build and test. */
  development: string[];
  /** Packages whose own description names no licence, by name and version: what was read, and where. */
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

test('licences.json names no licence and no package that nobody has', () => {
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

test('an expression of licences: one of those joined by OR is enough, of those joined by AND each counts', () => {
  const may = (expression: string) => isAllowed(expression, ['MIT', 'Zlib']);
  assert.deepEqual(['MIT', '(MIT OR GPL-3.0-or-later)', 'MIT AND Zlib'].map(may), [true, true, true]);
  assert.deepEqual(['GPL-3.0-or-later', 'MIT AND GPL-2.0-only', 'none'].map(may), [false, false, false]);
});

/** Whether an SPDX expression of one level can be met from a list. */
function isAllowed(expression: string, list: readonly string[]): boolean {
  const bare = expression.replace(/^\((.*)\)$/, '$1');
  return bare
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => list.includes(licence)));
}
