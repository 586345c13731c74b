-- The latest sending of an invoice: when it was asked for, and the receivers. It waits while the invoice has a mail of its own.
ALTER TABLE invoices ADD COLUMN sent_at timestamptz, ADD COLUMN sent_to text[], ADD COLUMN send_failed boolean NOT NULL DEFAULT false;

ALTER TABLE invoice_mails ADD COLUMN kind text NOT NULL DEFAULT 'reminder' CHECK (kind IN ('invoice', 'reminder'));
