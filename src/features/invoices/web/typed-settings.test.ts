import assert from 'node:assert/strict';
import { test } from 'node:test';
import { putSeller } from '../invoices.contract.ts';
import { parseDays, parsePercent } from './typed-settings.ts';

test('typed days are up to five different whole numbers from 1 to 365', () => {
  assert.deepEqual(parseDays(' '), []);
  assert.deepEqual(parseDays('7'), [7]);
  assert.deepEqual(parseDays(' 7,14 , 365'), [7, 14, 365]);
  for (const wrong of ['0', '366', '7,7', '7,', '7 14', '1.5', '-1', 'seven', '1,2,3,4,5,6']) {
    assert.equal(parseDays(wrong), null, wrong);
  }
});

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
