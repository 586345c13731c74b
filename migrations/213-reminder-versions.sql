-- Grows with every change, so that a form that was read before is recognised.
ALTER TABLE invoice_reminder_settings ADD COLUMN version integer NOT NULL DEFAULT 1;
