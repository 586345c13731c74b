import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
type Catalogue = Record<string, unknown>;

async function readCatalogues(locale: string): Promise<Map<string, Catalogue>> {
  const folder = join(root, 'messages', locale);
  const entries = (await readdir(folder)).sort().map(async (name): Promise<[string, Catalogue]> => {
    const { $schema: _, ...texts } = JSON.parse(await readFile(join(folder, name), 'utf8')) as Catalogue;
    return [basename(name, '.json'), texts];
  });
  return new Map(await Promise.all(entries));
}

const english = await readCatalogues('en');
const indonesian = await readCatalogues('id');
const keysOf = (catalogues: Map<string, Catalogue>) =>
  [...catalogues.values()].flatMap((texts) => Object.keys(texts)).sort();
const placeholdersOf = (text: unknown) => [...new Set(JSON.stringify(text).match(/\{\w+\}/g))].sort();

test('every text is there in both languages', () => {
  assert.deepEqual(keysOf(indonesian), keysOf(english));
});

test('every key stands once, in the file of its area, and has a text', () => {
  for (const [area, texts] of [...english, ...indonesian]) {
    for (const [key, text] of Object.entries(texts)) {
      assert.ok(key.startsWith(`${area}_`), `${key} stands in ${area}.json`);
      assert.ok(typeof text !== 'string' || text.trim() !== '', `${key} is empty`);
    }
  }
});

test('both languages fill in the same values', () => {
  for (const [area, texts] of english) {
    for (const [key, text] of Object.entries(texts)) {
      assert.deepEqual(placeholdersOf(indonesian.get(area)?.[key]), placeholdersOf(text), key);
    }
  }
});

test('no text lies unused', async () => {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root });
  const sources = files.filter((file) => !file.startsWith('src/shared/texts/') && !file.endsWith('.test.ts'));
  const code = (await Promise.all(sources.map((file) => readFile(join(root, file), 'utf8')))).join('\n');
  const words = new Set(code.match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g));
  // A key that is put together in place: `tickets_status_${status}`.
  const beginnings = [...code.matchAll(/`([a-z]+_[a-z0-9_]*)\$\{/g)].map((match) => match[1] ?? '');
  const unused = keysOf(english).filter(
    (key) => !words.has(key) && !beginnings.some((beginning) => key.startsWith(beginning)),
  );
  assert.deepEqual(unused, []);
});
