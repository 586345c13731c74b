/** The most addresses that get the invoices of a company. */
export const maxInvoiceEmails = 10;

/** The longest time to pay an invoice in. */
export const maxPaymentDays = 365;

/** The form of a price in dollars: six decimals at most. */
export const pricePattern = /^\d+(?:\.\d{1,6})?$/;

/** The highest price in dollars. */
export const maxPrice = 99_999_999;
