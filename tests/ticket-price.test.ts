import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { computeMoney } from '#features/tickets/server/ticket-money.ts';
import { previewPrice } from '#features/tickets/web/page/ticket-price.ts';

/** Rounds like displayed amounts: half up to whole rupiah. */
const round = (amount: number) => Math.floor(amount + 0.5);

test('the preview of a price equals the amount that the server returns after the change', () => {
  const inputs = fc.record({
    billable: fc.nat(1_000_000),
    cents: fc.integer({ min: 1, max: 9_999 }),
    rate: fc.integer({ min: 1, max: 100_000 }),
    discount: fc.nat(100),
  });
  fc.assert(
    fc.property(inputs, ({ billable, cents, rate, discount }) => {
      const price = (cents / 100).toFixed(2);
      const { discount: shown, ...preview } = previewPrice(
        { billable, price: Number(price) },
        rate,
        discount,
      );
      const money = computeMoney({ billable, price, current_dollar_price: rate, discount });
      assert.equal(shown, discount);
      for (const [name, amount] of Object.entries(money)) {
        assert.equal(round(preview[name as keyof typeof preview]), round(amount), name);
      }
    }),
    // Exactly half a rupiah, with more digits than a double has.
    { examples: [[{ billable: 263_650, cents: 4447, rate: 27_079, discount: 0 }]] },
  );
});

test('a price of fractions of a cent stays exact', () => {
  assert.equal(previewPrice({ billable: 3, price: 0.0707 }, 16_123, 7).total_amount, 3180.310_119);
});
