import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findFileProblem } from './proxy-file.ts';

const megabytes10 = 10 * 1024 * 1024;

it('takes text by its type or by its name, up to 10 MB', () => {
  assert.equal(findFileProblem({ name: 'proxies.txt', type: '', size: 12 }), null);
  assert.equal(findFileProblem({ name: 'PROXIES.TXT', type: '', size: megabytes10 }), null);
  assert.equal(findFileProblem({ name: 'proxies', type: 'text/plain', size: 12 }), null);
});

it('says what is wrong with another file', () => {
  const wrong = 'Please select a valid text file (.txt)';
  assert.equal(findFileProblem({ name: 'proxies.csv', type: 'text/csv', size: 12 }), wrong);
  assert.equal(
    findFileProblem({ name: 'proxies.txt', type: 'text/plain', size: megabytes10 + 1 }),
    'The file is larger than 10MB. Split it and upload the parts one by one.',
  );
});
