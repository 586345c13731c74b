import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { inRoot } from '../../../scripts/run/paths.mjs';

const read = (file: string) => readFileSync(inRoot(file), 'utf8');
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);

/** Every `import()` and every file beside a module that the server's sources name. */
function listLoads(): string[] {
  const files = globSync('src/{app,server,features,shared}/**/*.ts', { cwd: inRoot() }).filter(
    (file) => !/\.test\.ts$|\/web\/|\/texts\//.test(file),
  );
  return files.flatMap((file) =>
    namesIn(
      // A type is not loaded.
      read(file).replace(/typeof import\(/g, ''),
      /(?:\bimport\(\s*|new URL\(\s*)'([^']+)'(?=\)|,\s*import\.meta\.url)/g,
    ).map((thing) => `${basename(file)} ${basename(thing)}`),
  );
}

test('each thing that the server loads on demand has a smoke test of the built product', () => {
  const loads = new Set(listLoads());
  assert.ok(loads.size >= 20, [...loads].join('\n'));
  const tested = globSync('tests/product/built/*.test.ts', { cwd: inRoot() }).flatMap((file) =>
    namesIn(read(file), /smokeTest\(\s*(\[[^\]]+\]|'[^']+')/g).flatMap((list) => namesIn(list, /'([^']+)'/g)),
  );
  assert.deepEqual([...new Set(tested)].sort(), [...loads].sort());
});
