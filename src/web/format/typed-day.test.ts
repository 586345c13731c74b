import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTypedDay, writeTypedDay } from './typed-day.ts';

test('a day is typed in the order of the language, or as YYYY-MM-DD', () => {
  assert.equal(writeTypedDay('2026-11-21', 'en'), '11/21/2026');
  for (const typed of ['11/21/2026', ' 11.21.2026', '2026-11-21'])
    assert.equal(readTypedDay(typed, 'en'), '2026-11-21');
  assert.equal(readTypedDay('1/2/2026', 'en'), '2026-01-02');
  assert.equal(writeTypedDay('2026-11-21', 'id'), '21/11/2026');
  for (const typed of ['21/11/2026', '21-11-2026', '2026-11-21'])
    assert.equal(readTypedDay(typed, 'id'), '2026-11-21');
  assert.equal(readTypedDay('1/2/2026', 'id'), '2026-02-01');
  assert.equal(writeTypedDay('', 'id'), '');
});

test('a text that is no day is not taken for one', () => {
  for (const typed of ['', '21/11/2026', '2/30/2026', '11/21/26', '11/21', 'yesterday', '2026-13-01'])
    assert.equal(readTypedDay(typed, 'en'), null, typed);
});
