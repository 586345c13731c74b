/** The states of an invoice, in their order. */
export const invoiceStatuses = ['draft', 'issued', 'paid', 'credited'] as const;

export type InvoiceStatus = (typeof invoiceStatuses)[number];
