import type { Ticket } from '#features/tickets/tickets.contract.ts';

/** Price in dollars has six decimals at most. */
const priceDecimals = 6;

/** Read from its digits, as the server's exact amounts are: divided as a number, a large amount loses its last ones. */
function toNumber(units: bigint, decimals: number): number {
  const digits = String(units).padStart(decimals + 1, '0');
  return Number(`${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`);
}

/**
 * Returns the price of a ticket with another dollar rate and discount, in rupiah (docs/rules.md, Money). It multiplies
 * whole millionths, so that the preview rounds like the server's exact amounts.
 */
export function previewPrice(
  { billable, price }: Pick<Ticket, 'billable' | 'price'>,
  rate: number,
  discount: number,
) {
  const perData = BigInt(Math.round(price * 10 ** priceDecimals)) * BigInt(rate);
  const subtotal = perData * BigInt(billable);
  const discountAmount = subtotal * BigInt(discount);
  return {
    discount,
    price_per_data: toNumber(perData, priceDecimals),
    subtotal: toNumber(subtotal, priceDecimals),
    discount_amount: toNumber(discountAmount, priceDecimals + 2),
    total_amount: toNumber(subtotal * 100n - discountAmount, priceDecimals + 2),
  };
}
