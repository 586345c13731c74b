import { array, int4, nullable, numeric, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import type { Terms } from '../../terms.contract.ts';

const terms = {
  price: nullable(numeric),
  discount: int4,
  payment_days: nullable(int4),
  address: text,
  tax_number: text,
  invoice_emails: array(text),
};

/** Finds the terms of a company; undefined until they are first set. `price` is exact decimal text. */
export const findTerms = statement({
  text: `SELECT price, discount, payment_days, address, tax_number, invoice_emails, version
     FROM client_terms WHERE company_code = :companyCode`,
  params: { companyCode: text },
  row: { ...terms, version: int4 },
});

/** Locks the terms of a company for a change until the transaction ends, also before they are first set. */
export const lockTerms = statement({
  text: "SELECT pg_advisory_xact_lock(hashtextextended('terms of ' || :companyCode::text, 0))",
  params: { companyCode: text },
});

const upsert = statement({
  text: `INSERT INTO client_terms (company_code, price, discount, payment_days, address, tax_number, invoice_emails)
     VALUES (:companyCode, :price, :discount, :payment_days, :address, :tax_number, :invoice_emails)
     ON CONFLICT (company_code) DO UPDATE SET price = :price, discount = :discount, payment_days = :payment_days,
       address = :address, tax_number = :tax_number, invoice_emails = :invoice_emails, version = client_terms.version + 1`,
  params: { companyCode: text, ...terms },
});

export async function replaceTerms(
  tx: Queryable,
  companyCode: string,
  terms: Omit<Terms, 'version'>,
): Promise<void> {
  const price = terms.price === null ? null : String(terms.price);
  await upsert.run(tx, { ...terms, price, companyCode });
}
