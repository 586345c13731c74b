-- Whose invoices they are: one row, which superadmins edit.
CREATE TABLE seller (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  name text NOT NULL,
  address text NOT NULL,
  tax_number text NOT NULL,
  bank text NOT NULL,
  ppn_percent numeric(5, 2) CHECK (ppn_percent BETWEEN 0 AND 100)
);

-- A draft follows its tickets and the seller; issuing freezes both, with all amounts.
CREATE TABLE invoices (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  company_code text NOT NULL REFERENCES clients (company_code),
  -- The first day of the month.
  month date NOT NULL,
  status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'issued', 'paid', 'credited')),
  note text NOT NULL DEFAULT '',
  due_at date,
  created_at timestamptz NOT NULL,
  number text UNIQUE,
  issued_at timestamptz,
  -- The day of `issued_at` in APP_TIMEZONE.
  issued_on date,
  company_name text,
  tickets jsonb,
  subtotal bigint,
  ppn_percent numeric(5, 2),
  ppn bigint,
  total bigint,
  seller jsonb,
  paid_at date,
  payment_note text,
  credit_number text UNIQUE,
  credit_reason text,
  credited_at timestamptz,
  credited_on date,
  reminded_at timestamptz,
  CHECK ((status = 'draft') = (number IS NULL)),
  CHECK (status = 'draft' OR (issued_at IS NOT NULL AND issued_on IS NOT NULL AND company_name IS NOT NULL AND tickets IS NOT NULL
    AND subtotal IS NOT NULL AND ppn_percent IS NOT NULL AND ppn IS NOT NULL AND total IS NOT NULL AND seller IS NOT NULL)),
  CHECK ((status = 'credited') = (credit_number IS NOT NULL)),
  CHECK (status <> 'paid' OR paid_at IS NOT NULL)
);
CREATE INDEX invoices_company ON invoices (company_code, id);
CREATE INDEX invoices_issued_on ON invoices (issued_on);

-- The tickets on drafts, issued and paid invoices: each on one at most. A credit note frees them.
CREATE TABLE invoice_tickets (
  ticket_number bigint PRIMARY KEY,
  invoice_id bigint NOT NULL REFERENCES invoices ON DELETE CASCADE
);
CREATE INDEX invoice_tickets_invoice ON invoice_tickets (invoice_id);

-- What is frozen stays as it was issued, whoever asks for a change.
CREATE FUNCTION keep_issued_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status <> 'draft' AND (TG_OP = 'DELETE' OR
     (NEW.number, NEW.issued_at, NEW.issued_on, NEW.company_code, NEW.company_name, NEW.month, NEW.tickets, NEW.subtotal, NEW.ppn_percent,
      NEW.ppn, NEW.total, NEW.seller, NEW.note, NEW.due_at)
     IS DISTINCT FROM
     (OLD.number, OLD.issued_at, OLD.issued_on, OLD.company_code, OLD.company_name, OLD.month, OLD.tickets, OLD.subtotal, OLD.ppn_percent,
      OLD.ppn, OLD.total, OLD.seller, OLD.note, OLD.due_at)) THEN
    RAISE EXCEPTION 'invoice % was issued and cannot change', OLD.number;
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER keep_issued_invoice BEFORE UPDATE OR DELETE ON invoices FOR EACH ROW EXECUTE FUNCTION keep_issued_invoice();
