import { int4, nullable, numeric, text, textArray } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import type { Terms } from '../../terms.contract.ts';

/** Finds the terms of a company; undefined until they are first set. `price` is exact decimal text. */
export const findTerms = statement({
  text: `SELECT price, discount, payment_days, address, tax_number, invoice_emails, version
     FROM client_terms WHERE company_code = $1`,
  row: {
    price: nullable(numeric),
    discount: int4,
    payment_days: nullable(int4),
    address: text,
    tax_number: text,
    invoice_emails: textArray,
    version: int4,
  },
}).firstWith<[companyCode: string]>();

/** Locks the terms of a company for a change until the transaction ends, also before they are first set. */
export const lockTerms = statement({
  text: "SELECT pg_advisory_xact_lock(hashtextextended('terms of ' || $1::text, 0))",
}).runWith<[companyCode: string]>();

const upsert = statement({
  text: `INSERT INTO client_terms (company_code, price, discount, payment_days, address, tax_number, invoice_emails)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (company_code) DO UPDATE SET price = $2, discount = $3, payment_days = $4, address = $5, tax_number = $6,
       invoice_emails = $7, version = client_terms.version + 1`,
});

export async function replaceTerms(
  tx: Queryable,
  companyCode: string,
  { price, discount, payment_days, address, tax_number, invoice_emails }: Omit<Terms, 'version'>,
): Promise<void> {
  await upsert.run(tx, [companyCode, price, discount, payment_days, address, tax_number, invoice_emails]);
}
