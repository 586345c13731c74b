// Checks that the project's pages link to files and headings that exist, and that code names pages that exist.
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { findFileFaults, projectFile, readProjectFile } from './support/cited-files.ts';

const list = (patterns: string[]) =>
  globSync(patterns, { cwd: projectFile(''), exclude: (path) => path.includes('node_modules') });

/** Returns the paths from the project's root, with a heading where one is named, that a page links to. */
function readLinks(page: string, markdown: string): string[] {
  const links = [...markdown.matchAll(/\]\(([^)\s]+)\)/g), ...markdown.matchAll(/^\[\w+\]: (\S+)/gm)];
  const targets = links.map(([, target = '']) => target).filter((target) => !/^https?:/.test(target));
  return targets.map((target) => (target.startsWith('#') ? page + target : join(dirname(page), target)));
}

test('every link of a page leads to a file, and to a heading where it names one', () => {
  const pages = list(['*.md', 'docs/**/*.md', 'src/**/*.md']);
  const links = pages.flatMap((page) => readLinks(page, readProjectFile(page)).map((to) => ({ page, to })));
  assert.ok(links.length > 50);
  assert.deepEqual(
    links.flatMap(({ page, to }) => findFileFaults(to).map((fault) => `${page}: ${fault}`)),
    [],
  );
});

test('every page that code names exists', () => {
  const files = list([
    'src/**/*.{ts,tsx}',
    'scripts/**/*.{ts,mjs}',
    'bench/**/*.ts',
    'migrations/*.sql',
    'deploy/*',
  ]);
  const named = files.flatMap((file) =>
    [...readProjectFile(file).matchAll(/\bdocs\/[\w/-]+\.md/g)].map(([page]) => ({ file, page })),
  );
  assert.ok(named.length > 10);
  assert.deepEqual(
    named.flatMap(({ file, page }) => findFileFaults(page).map((fault) => `${file}: ${fault}`)),
    [],
  );
});

test('a link to a file or heading that does not exist is a fault', () => {
  const text =
    '[a](gone.md) [b](../README.md#gone) [c](#data) [d](https://example.com)\n[e]: rules.md#gone "a rule"\n';
  assert.deepEqual(
    readLinks('docs/security.md', text).flatMap((to) => findFileFaults(to)),
    ['no file docs/gone.md', 'README.md has no #gone', 'docs/rules.md has no #gone'],
  );
});
