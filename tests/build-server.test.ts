import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { findBuilt } from '#tests/support/product/built-server.ts';
import { inRoot } from '../scripts/run/paths.mjs';

const folder = inRoot('dist-server/');
const built = () => globSync('*.js', { cwd: folder });

before(() => findBuilt('main.js'));

test('each thread and process of the server is a separate built file', () => {
  const sources = globSync('src/**/*{.thread,-process}.ts', { cwd: inRoot() });
  assert.ok(sources.length >= 7, sources.join());
  const files = built();
  for (const source of sources) assert.ok(files.includes(`${basename(source, '.ts')}.js`), source);
});

test('every file that a built file refers to exists', () => {
  const named = built().flatMap((file) =>
    [
      ...readFileSync(`${folder}${file}`, 'utf8').matchAll(
        /new URL\(\s*["'](\.[^"']+)["'],\s*import\.meta\.url/g,
      ),
    ].map(([, path = '']) => path),
  );
  assert.ok(named.length >= 12, named.join());
  for (const path of named) assert.ok(existsSync(new URL(path, pathToFileURL(folder))), path);
});

test('built files are ASCII, which Node stores with one byte per character', () => {
  for (const file of built()) {
    const wide = /[^\0-\x7f]/.exec(readFileSync(`${folder}${file}`, 'utf8'));
    assert.equal(wide, null, `${file}: ${wide?.[0]} at ${wide?.index}`);
  }
});

/** Files that run a process or thread when they are imported. */
const entries = () => built().filter((file) => /^main\.js$|-process\.js$|\.thread\.js$/.test(file));

test('no built file imports an entry, which would run another process or thread', () => {
  assert.ok(entries().length >= 15, entries().join());
  const imported = built().flatMap((file) =>
    [
      ...readFileSync(`${folder}${file}`, 'utf8').matchAll(
        /(?:\bfrom|\bimport)\s*\(?\s*["']\.\/([^"']+)["']/g,
      ),
    ]
      .map(([, name = '']) => name)
      .filter((name) => entries().includes(name))
      .map((name) => `${file} imports ${name}`),
  );
  assert.deepEqual(imported, []);
});

/** Returns the files that an entry loads at its start, itself among them. */
function filesOf(entry: string, found = new Set<string>()): Set<string> {
  if (found.has(entry)) return found;
  found.add(entry);
  const text = readFileSync(`${folder}${entry}`, 'utf8');
  for (const [, name = ''] of text.matchAll(/^(?:import|export)\b[^;]*?"\.\/([^"]+)";/gm))
    filesOf(name, found);
  return found;
}

test('no entry imports node:http, which loads Node’s own fetch', () => {
  for (const entry of entries()) {
    const files = [...filesOf(entry)];
    assert.ok(files.length > 3, entry);
    const importing = files.filter((file) =>
      /from "(node:)?http"/.test(readFileSync(`${folder}${file}`, 'utf8')),
    );
    assert.deepEqual(importing, [], entry);
  }
});

test('no entry has an export', () => {
  const exporting = entries().filter((file) =>
    /^export (?!\{\s*\};)/m.test(readFileSync(`${folder}${file}`, 'utf8')),
  );
  assert.deepEqual(exporting, []);
});
