import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showsDay } from './day-format.ts';

test('a format shows a day if its code has a year, a day or a named month outside of texts and brackets', () => {
  for (const code of ['dd/mm/yyyy', 'YYYY\\-MM\\-DD', '[$-421]d mmmm yyyy;@', 'mmm', 'ge.m.d', 'm/d/yy h:mm'])
    assert.equal(showsDay(code), true, code);
  for (const code of [
    'General',
    '0.00E+00',
    'h:mm:ss',
    'mm:ss',
    '[h]:mm',
    '[Red]0',
    '0 "day"',
    '0\\d',
    '0;d',
    '#,##0_d',
  ])
    assert.equal(showsDay(code), false, code);
});
