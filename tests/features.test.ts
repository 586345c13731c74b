// Checks tests/features.json, which compares the product with others, and the page made of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFileFaults, formatMarkdownTable, projectFile, readProjectFile } from './support/cited-files.ts';

/** `tests` maps files to the titles of the tests that show the feature. `others` has what other products say of it. */
type Feature = {
  feature: string;
  coverdesk: string;
  tests?: Record<string, string[]>;
  others: Record<string, string>;
};

/** `products` maps each product to the addresses of its documentation, and those to their subjects. */
const { products, features }: { products: Record<string, Record<string, string>>; features: Feature[] } =
  JSON.parse(readProjectFile('tests/features.json'));
const names = Object.keys(products);

function findFaults({ feature, coverdesk, tests = {}, others }: Feature): string[] {
  const cited = Object.entries(tests);
  const strangers = Object.keys(others).filter((name) => !names.includes(name));
  const faults = strangers.map((name) => `no product ${name}`);
  if (coverdesk !== 'no' && cited.length === 0) faults.push('no test');
  for (const [path, titles] of cited) {
    faults.push(...findFileFaults(path, titles));
    if (titles.length === 0) faults.push(`no title in ${path}`);
  }
  return faults.map((fault) => `${feature}: ${fault}`);
}

/** Whether another product has the feature, at least in part. */
const isShared = ({ others }: Feature) => Object.values(others).some((said) => said !== 'no');

function formatPage(): string {
  const shared = features.filter(isShared);
  const rows = shared.map(({ feature, coverdesk, others }) => [
    feature,
    coverdesk,
    ...names.map((name) => others[name] ?? '?'),
  ]);
  const alone = features.filter((feature) => !isShared(feature)).map(({ feature }) => `- ${feature}`);
  return `# Features beside other products

From the public documentation of the others on 2026-11-25, not tried out: "?" means that it does not say, not that the feature is
missing. [tests/features.json](../tests/features.json) names the pages that were read, and for each feature of ours a test that shows it.

The others were made for other work: Snipe-IT and GLPI (with plugins) manage whole inventories, warranty-watcher and AxMJamfSync fill
the warranty fields of management systems, and IMEI services sell single answers.

${formatMarkdownTable(['Feature', 'Coverdesk', ...names], rows)}

None of them says that it has these features of Coverdesk:

${alone.join('\n')}

A test writes this page: \`npm run test:file -- --test-update-snapshots tests/features.test.ts\`.
`;
}

test('each feature of ours names a test that exists, and each product the pages that were read', () => {
  assert.ok(features.length > 20);
  assert.deepEqual(features.flatMap(findFaults), []);
  for (const [name, pages] of Object.entries(products)) assert.notDeepEqual(pages, {}, name);
});

test('docs/features.md is made of tests/features.json', ({ assert }) => {
  const asText = { serializers: [(value: string) => value] };
  assert.fileSnapshot(formatPage(), projectFile('docs/features.md'), asText);
});

test('a feature without a test, with a test that does not exist, or of an unknown product is a fault', () => {
  const own = 'tests/features.test.ts';
  const feature: Feature = { feature: 'F', coverdesk: 'yes', others: {} };
  assert.deepEqual(findFaults(feature), ['F: no test']);
  assert.deepEqual(findFaults({ ...feature, coverdesk: 'no' }), []);
  assert.deepEqual(findFaults({ ...feature, tests: { [own]: [] } }), [`F: no title in ${own}`]);
  assert.deepEqual(findFaults({ ...feature, tests: { [own]: ['no such'] } }), [`F: ${own} has no “no such”`]);
  assert.deepEqual(findFaults({ ...feature, coverdesk: 'no', others: { X: 'yes' } }), ['F: no product X']);
});
