import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { explainWholeNumber, parseWholeNumber } from './whole-number.ts';

/** Every form of a whole number that is taken: plain, and grouped by each separator. */
const formsOf = (value: number) => [
  String(value),
  ...[',', '.', ' ', '\u00a0', '\u202f'].map((mark) => value.toLocaleString('en-US').replaceAll(',', mark)),
];
const amounts = fc.integer({ min: 0, max: 1_000_000_000 });

test('a number is read back from every form that it can be written in', () => {
  fc.assert(
    fc.property(amounts, (value) => {
      for (const form of formsOf(value)) assert.equal(parseWholeNumber(form), value, form);
      assert.equal(parseWholeNumber(`  ${value.toLocaleString('id-ID')} `), value);
    }),
  );
});

test('what is read as a number is one of its forms, never another text', () => {
  const typed = fc.string({ unit: fc.constantFrom(...'0123456789.,  -+eRp'), maxLength: 12 });
  fc.assert(
    fc.property(typed, (text) => {
      const value = parseWholeNumber(text);
      if (value === null) return;
      const trimmed = text.trim();
      assert.ok(/^0+\d/.test(trimmed) ? /^\d+$/.test(trimmed) : formsOf(value).includes(trimmed), text);
    }),
    { numRuns: 5000 },
  );
});

test('a fraction is never read as a whole number', () => {
  const fractions = fc.tuple(amounts, fc.constantFrom('.', ','), fc.integer({ min: 0, max: 99 }));
  fc.assert(
    fc.property(fractions, ([value, mark, part]) => {
      for (const form of formsOf(value)) {
        assert.equal(parseWholeNumber(`${form}${mark}${part}`), null);
        assert.equal(parseWholeNumber(`${form}${mark}${String(part).padStart(2, '0')}`), null);
      }
    }),
  );
});

test('groups that are wrong, mixed or begin with 0 are refused', () => {
  for (const text of [
    '16.00',
    '1,00,0',
    '1.000,000',
    '1.0000',
    '1000.000',
    '0.500',
    '012.345',
    '.500',
    '1.',
  ]) {
    assert.equal(parseWholeNumber(text), null, text);
  }
  for (const text of ['', ' ', '-1', '+1', '1e3', 'Rp 16.000', '１６', '1..000', '1\n000\n00']) {
    assert.equal(parseWholeNumber(text), null, text);
  }
});

test('it is said why a number cannot be used', () => {
  const explain = (typed: string) => explainWholeNumber(typed, 1, 1_000_000_000);
  for (const typed of ['', '16.00']) {
    assert.equal(explain(typed), 'Enter a whole number, such as 16000 or 16,000.');
  }
  assert.equal(explain('0'), 'Enter a number of at least 1.');
  assert.equal(explain('1.000.000.001'), 'Enter a number of at most 1,000,000,000.');
  assert.equal(explain('9'.repeat(400)), 'Enter a number of at most 1,000,000,000.');
  assert.equal(explain('1.000.000.000'), null);
  assert.equal(explain('1'), null);
});
