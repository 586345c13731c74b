import assert from 'node:assert/strict';
import { test } from 'node:test';
import { putSeller } from '../invoices.contract.ts';
import { parsePercent } from './parse-percent.ts';

test('the form takes the percentages that the call takes, with a point or a comma', () => {
  const { ppn_percent: taken } = putSeller.body.shape;
  for (const typed of ['0', '11', '11.5', '11,5', ' 0.01 ', '99.99', '100', '100.00', '']) {
    assert.ok(taken.safeParse(parsePercent(typed)).success, typed);
  }
  assert.equal(parsePercent('11,5'), 11.5);
  assert.equal(parsePercent(' '), null);
  for (const typed of ['100.01', '11.555', '-1', '1e1', '1.000', 'ten', '1.', '.5']) {
    assert.equal(parsePercent(typed), undefined, typed);
  }
});
