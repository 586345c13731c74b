import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginAttempt } from './upload-attempt.ts';

const makeInput = (
  text: string,
  {
    lastModified = 1,
    order = '',
    column = null as string | null,
    freshDays = null as number | null,
    corrections = {},
    chosenFields = null as Record<string, string> | null,
    fields = null as Record<string, string> | null,
  } = {},
) => ({
  content: new File([text], 'devices.xlsx', { lastModified }),
  order,
  choice: { sheet: null, column },
  corrections,
  chosenFields,
  fields: fields ?? chosenFields,
  freshDays,
});

test('the same file, even if chosen again, keeps its key while the result of the previous attempt is unknown', () => {
  const before = beginAttempt(makeInput('x'), null);
  assert.match(before.key, /^[0-9a-f]{32}$/);
  assert.equal(beginAttempt(makeInput('x'), before).key, before.key);
});

test('a preview that comes or goes after the first attempt changes neither its key nor what it sends', () => {
  const site = { B: 'site' };
  for (const [before, after] of [
    [null, site],
    [site, null],
    [{ ...site, C: 'floor' }, site],
  ]) {
    const first = beginAttempt(makeInput('x', { fields: before }), null);
    const second = beginAttempt(makeInput('x', { fields: after }), first);
    assert.deepEqual([second.key, second.fields], [first.key, before]);
    assert.notEqual(beginAttempt(makeInput('x', { chosenFields: { C: 'site' } }), second).key, first.key);
  }
});

test('a file that was changed, another order, column, age of answers or correction, and a known end take a new key', () => {
  const before = beginAttempt(makeInput('x'), null);
  const keys = [
    beginAttempt(makeInput('xy'), before).key,
    beginAttempt(makeInput('x', { lastModified: 2 }), before).key,
    beginAttempt(makeInput('x', { order: '12' }), before).key,
    beginAttempt(makeInput('x', { column: 'B' }), before).key,
    beginAttempt(makeInput('x', { freshDays: 7 }), before).key,
    beginAttempt(makeInput('x', { corrections: { A2: '1' } }), before).key,
    beginAttempt(makeInput('x'), null).key,
  ];
  assert.equal(new Set([before.key, ...keys]).size, 8);
});

test('pasted serials keep their key as a file does', () => {
  const paste = (...serials: string[]) => ({ ...makeInput('x'), content: serials });
  const before = beginAttempt(paste('1', '2'), null);
  assert.equal(beginAttempt(paste('1', '2'), before).key, before.key);
  for (const other of [paste('1'), paste('1', '3'), makeInput('x')])
    assert.notEqual(beginAttempt(other, before).key, before.key);
});
