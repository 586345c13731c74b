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

test('every text exists in both languages', () => {
  assert.deepEqual(keysOf(indonesian), keysOf(english));
});

test('every key is defined once, in the file of its area, and has a text', () => {
  for (const [area, texts] of [...english, ...indonesian]) {
    for (const [key, text] of Object.entries(texts)) {
      assert.ok(key.startsWith(`${area}_`), `${key} stands in ${area}.json`);
      assert.ok(typeof text !== 'string' || text.trim() !== '', `${key} is empty`);
    }
  }
});

test('both languages use the same placeholders', () => {
  for (const [area, texts] of english) {
    for (const [key, text] of Object.entries(texts)) {
      assert.deepEqual(placeholdersOf(indonesian.get(area)?.[key]), placeholdersOf(text), key);
    }
  }
});

test('every text is used', async () => {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root });
  const sources = files.filter((file) => !file.startsWith('src/shared/texts/') && !file.endsWith('.test.ts'));
  const code = (await Promise.all(sources.map((file) => readFile(join(root, file), 'utf8')))).join('\n');
  const words = new Set(code.match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g));
  // A key that is composed in code: `tickets_status_${status}`.
  const beginnings = [...code.matchAll(/`([a-z]+_[a-z0-9_]*)\$\{/g)].map((match) => match[1] ?? '');
  const unused = keysOf(english).filter(
    (key) => !words.has(key) && !beginnings.some((beginning) => key.startsWith(beginning)),
  );
  assert.deepEqual(unused, []);
});

/** Returns a text, or all plural forms of a text, as one string. */
const wordsOf = (text: unknown) =>
  typeof text === 'string'
    ? text
    : Object.values((text as { match: Record<string, string> }[])[0]?.match ?? {}).join(' ');

test('Indonesian texts use the words of messages/words.json', async () => {
  const words: { not?: string[] }[] = JSON.parse(await readFile(join(root, 'messages/words.json'), 'utf8'));
  const others = words.flatMap(({ not = [] }) => not).join('|');
  const anyOther = new RegExp(`(?<!\\w)(${others})(?!\\w)`, 'i');
  for (const texts of indonesian.values()) {
    for (const [key, text] of Object.entries(texts)) {
      // The specification fixes this text: "Harap hapus data sebelumnya …".
      if (key !== 'data_delete_first') assert.doesNotMatch(wordsOf(text), anyOther, key);
    }
  }
});

/** Texts that the specification fixes. */
const fixedFailures = [
  'account_change_failed',
  'account_forgot_failed',
  'account_register_failed',
  'account_reset_failed',
  'account_sign_in_failed',
  'clients_create_failed',
  'clients_update_failed',
  'common_fetch_failed',
  'data_tracker_all_failed',
  'data_tracker_progress_failed',
  'data_tracker_tickets_failed',
  'data_upload_failed',
  'proxies_upload_failed',
  'tickets_create_failed',
  'tickets_update_failed',
];

/** States, a heading, a refusal next to its field, and a link to the next step. */
const notSentences = [
  'data_failed',
  'common_screen_failed',
  'tickets_items_failed',
  'server_source_serial_invalid',
  'data_upload_activity_failed',
];

test('every error text names the consequence or the next step', () => {
  for (const catalogues of [english, indonesian]) {
    for (const texts of catalogues.values()) {
      const failures = Object.entries(texts).filter(
        ([key]) =>
          (key.endsWith('_failed') ||
            /^server_(sheet_(?!coverage)|client_has_|proxies_none|source_)/.test(key)) &&
          !fixedFailures.includes(key) &&
          !notSentences.includes(key),
      );
      for (const [key, text] of failures) assert.match(wordsOf(text), /[.;,:)] .+\.$/, key);
    }
  }
});
