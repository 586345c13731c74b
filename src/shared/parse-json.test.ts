import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from './parse-json.ts';

const nest = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test('JSON with too many levels is not parsed, and brackets in texts are no levels', () => {
  assert.ok(Array.isArray(parseJson(nest(32))));
  assert.equal(parseJson(nest(33)), undefined);
  assert.deepEqual(parseJson(`["${'['.repeat(40)}\\"${'{'.repeat(40)}"]`), [
    `${'['.repeat(40)}"${'{'.repeat(40)}`,
  ]);
  assert.equal(parseJson('{"a":'), undefined);
});
