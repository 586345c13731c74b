import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { computeMoney } from './ticket-money.ts';

test('amounts follow the formulas', () => {
  assert.deepEqual(
    computeMoney({ billable: 1234, price: '0.050000', current_dollar_price: 16_000, discount: 15 }),
    { price_per_data: 800, subtotal: 987_200, discount_amount: 148_080, total_amount: 839_120 },
  );
});

test('odd prices and discounts stay exact where floating point does not', () => {
  // 0.07 × 16123 × 3 in doubles is 3385.8300000000004; 7 % of it is 237.00810000000004.
  assert.deepEqual(computeMoney({ billable: 3, price: '0.07', current_dollar_price: 16_123, discount: 7 }), {
    price_per_data: 1128.61,
    subtotal: 3385.83,
    discount_amount: 237.0081,
    total_amount: 3148.8219,
  });
  assert.equal(
    computeMoney({ billable: 1_000_000, price: '0.1', current_dollar_price: 3, discount: 0 }).total_amount,
    300_000,
  );
});

test('amounts are exact at any size', () => {
  const inputs = fc.record({
    billable: fc.nat(1_000_000),
    cents: fc.integer({ min: 1, max: 99_999 }),
    current_dollar_price: fc.integer({ min: 1, max: 1_000_000_000 }),
    discount: fc.nat(100),
  });
  fc.assert(
    fc.property(inputs, ({ billable, cents, current_dollar_price, discount }) => {
      const price = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
      const money = computeMoney({ billable, price, current_dollar_price, discount });
      const scaled = BigInt(billable) * BigInt(cents) * BigInt(current_dollar_price) * BigInt(100 - discount);
      assert.equal(money.total_amount, Number(`${scaled}e-4`));
    }),
  );
});
