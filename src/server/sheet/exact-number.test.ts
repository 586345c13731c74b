import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exactDigits } from './exact-number.ts';

test('numbers in all notations of workbooks keep every digit', () => {
  const examples: [written: string, exact: string | undefined][] = [
    ['356938030010145', '356938030010145'],
    ['3.56938030010145E14', '356938030010145'],
    ['3.56938030010145e+14', '356938030010145'],
    ['356938030010145.0', '356938030010145'],
    ['35693803001014500E-2', '356938030010145'],
    ['8.9620112345678901234E19', '89620112345678901234'],
    ['0', '0'],
    ['0.0', '0'],
    ['00.5', '0.5'],
    ['46001.5', '46001.5'],
    ['46001.050', '46001.05'],
    ['1E-3', '0.001'],
    ['.5', '0.5'],
    ['-12.50', '-12.5'],
    ['-0', '0'],
    ['007', '7'],
    ['1E400', `1${'0'.repeat(400)}`],
    ['1E9999', undefined],
    ['', undefined],
    ['.', undefined],
    ['E5', undefined],
    ['NaN', undefined],
    ['0x10', undefined],
  ];
  for (const [written, exact] of examples) assert.equal(exactDigits(written), exact, written);
});

test('a very long text is refused quickly', () => {
  const digits = '1'.repeat(32_767);
  assert.equal(exactDigits(digits), digits);
  assert.equal(exactDigits(`${digits}1`), undefined);
  const zeros = '0'.repeat(30_000);
  const costly = [`${digits}x`, `${digits}.${digits}x`, `${zeros}x`, `0.${zeros}1`];
  // With quadratic time these would take minutes.
  for (let times = 0; times < 500; times++) for (const written of costly) exactDigits(written);
  assert.deepEqual(costly.map(exactDigits), [undefined, undefined, undefined, `0.${zeros}1`]);
});

test('every double has the same digits as in JavaScript', () => {
  const whole = fc.maxSafeInteger();
  fc.assert(fc.property(whole, (n) => assert.equal(exactDigits(String(n)), String(n === 0 ? 0 : n))));
  fc.assert(fc.property(whole, (n) => assert.equal(Number(exactDigits(n.toExponential())), n)));
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (n) => {
      assert.equal(Number(exactDigits(String(n))), n === 0 ? 0 : n);
    }),
  );
});
