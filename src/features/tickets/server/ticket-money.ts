import { Decimal } from 'decimal.js';

// Exact for two counts of up to 1e9 times a price of 14 digits.
const Exact = Decimal.clone({ precision: 60 });

export type PricedTicket = {
  /** Done rows that are billed. */
  billable: number;
  /** Dollars per data, exact decimal text. */
  price: string;
  /** Rupiah per dollar. */
  current_dollar_price: number;
  /** Percent, 0 to 100. */
  discount: number;
};

/** Computes the amounts of a ticket in rupiah, unrounded (docs/rules.md, Money). */
export function computeMoney({ billable, price, current_dollar_price, discount }: PricedTicket) {
  const pricePerData = new Exact(price).times(current_dollar_price);
  const subtotal = pricePerData.times(billable);
  const discountAmount = subtotal.times(discount).dividedBy(100);
  return {
    price_per_data: pricePerData.toNumber(),
    subtotal: subtotal.toNumber(),
    discount_amount: discountAmount.toNumber(),
    total_amount: subtotal.minus(discountAmount).toNumber(),
  };
}
