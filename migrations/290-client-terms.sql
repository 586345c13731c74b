-- What a company pays for its tickets, and who gets its invoices. Without a row, it pays PRICE_USD without a discount.
CREATE TABLE client_terms (
  company_code text PRIMARY KEY REFERENCES clients (company_code) ON DELETE CASCADE,
  -- Dollars per data; null for PRICE_USD.
  price numeric(14, 6) CHECK (price > 0),
  -- Percent.
  discount integer NOT NULL CHECK (discount BETWEEN 0 AND 100),
  -- From the day of issue to the due day of an invoice; null for no due day.
  payment_days integer CHECK (payment_days >= 0),
  address text NOT NULL,
  tax_number text NOT NULL,
  invoice_emails text[] NOT NULL,
  version integer NOT NULL DEFAULT 1
);

-- As they were issued, like company_name. Invoices of before show none.
ALTER TABLE invoices ADD COLUMN client_address text NOT NULL DEFAULT '', ADD COLUMN client_tax_number text NOT NULL DEFAULT '';

CREATE OR REPLACE FUNCTION keep_issued_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status <> 'draft' AND (TG_OP = 'DELETE' OR
     (NEW.number, NEW.issued_at, NEW.issued_on, NEW.company_code, NEW.company_name, NEW.client_address, NEW.client_tax_number, NEW.month,
      NEW.tickets, NEW.subtotal, NEW.ppn_percent, NEW.ppn, NEW.total, NEW.seller, NEW.note, NEW.due_at)
     IS DISTINCT FROM
     (OLD.number, OLD.issued_at, OLD.issued_on, OLD.company_code, OLD.company_name, OLD.client_address, OLD.client_tax_number, OLD.month,
      OLD.tickets, OLD.subtotal, OLD.ppn_percent, OLD.ppn, OLD.total, OLD.seller, OLD.note, OLD.due_at)) THEN
    RAISE EXCEPTION 'invoice % was issued and cannot change', OLD.number;
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
