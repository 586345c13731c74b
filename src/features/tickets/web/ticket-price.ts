import type { Ticket } from '#features/tickets/tickets.contract.ts';

/** Price in dollars has six decimals at most. */
const micros = 1_000_000;

/**
 * What a ticket would cost with another dollar rate and discount, in rupiah (docs/rules.md, Money). Whole millionths
 * are multiplied, so that the preview rounds as the server's exact amounts do.
 */
export function previewPrice(
  { done, price }: Pick<Ticket, 'done' | 'price'>,
  rate: number,
  discount: number,
) {
  const perData = BigInt(Math.round(price * micros)) * BigInt(rate);
  const subtotal = perData * BigInt(done);
  const discountAmount = subtotal * BigInt(discount);
  return {
    discount,
    price_per_data: Number(perData) / micros,
    subtotal: Number(subtotal) / micros,
    discount_amount: Number(discountAmount) / (micros * 100),
    total_amount: Number(subtotal * 100n - discountAmount) / (micros * 100),
  };
}
