// Checks that comments cite the product's rules as "docs/rules.md, Heading".
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const rules = read('docs/rules.md');
const headings = [...rules.matchAll(/^## (.+)$/gm)].map((match) => match[1]);

test('comments cite rules by headings that exist in docs/rules.md, never by numbers', () => {
  let cited = 0;
  const files = globSync('{src,tests,bench,scripts}/**/*.{ts,tsx,mjs}', { cwd: root });
  for (const file of files.filter((name) => !/^src\/shared\/texts\/|\/node_modules\//.test(name))) {
    const text = read(file);
    for (const [citation, heading] of text.matchAll(/docs\/rules\.md, ([A-Z]\w+)/g)) {
      if (heading !== 'Heading') assert.ok(headings.includes(heading), `${file}: ${citation}`);
      cited += 1;
    }
    assert.doesNotMatch(text, /(?:decisions|specification|spec),? sections? \d/, file);
  }
  assert.ok(cited > 10);
});

test('the table of contents of docs/rules.md links to every heading, and its paths exist', () => {
  const links = [...rules.matchAll(/\[(\w+)\]\(#(\w+)\)/g)].map(([, name, anchor]) => {
    assert.equal(anchor, name?.toLowerCase());
    return name;
  });
  assert.deepEqual(links, headings);
  for (const [, path = ''] of rules.matchAll(/`(src\/[\w./-]+)`/g)) {
    assert.ok(globSync(path, { cwd: root }).length > 0, path);
  }
});
