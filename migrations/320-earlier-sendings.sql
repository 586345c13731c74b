-- The sending of an invoice before the latest, if its mails were sent: a credit note may withdraw the latest before it is.
ALTER TABLE invoices ADD COLUMN earlier_sent_at timestamptz, ADD COLUMN earlier_sent_to text[];
