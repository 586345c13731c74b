import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSources } from '#features/sources/server/configuration/sources-file.ts';
import { kinds } from '#features/sources/server/kinds/kinds.ts';
import { reusableSources } from './load-batch.ts';

const service = (name: string, more: object = {}) => ({
  name,
  kind: 'http',
  request: { url: 'https://service.example/{serial}' },
  fields: {},
  ...more,
});
const read = (...sources: object[]) => readSources({ sources }, kinds, {});

test('answers of enabled services are cached, but not of registries and the sandbox', () => {
  const sources = read(
    { name: 'own', kind: 'registry' },
    { name: 'sandbox', kind: 'sandbox' },
    service('off', { enabled: false }),
    service('on'),
  );
  assert.deepEqual(
    reusableSources(sources, 24).map(({ name }) => name),
    ['on'],
  );
  assert.deepEqual(reusableSources(sources, 0), []);
});
