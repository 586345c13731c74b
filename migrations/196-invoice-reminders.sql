-- When companies are reminded of overdue invoices without being asked: one row, which superadmins edit. Never without it.
CREATE TABLE invoice_reminder_settings (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  -- The steps: days after the due day.
  days integer[] NOT NULL,
  language text NOT NULL CHECK (language IN ('en', 'id'))
);

-- The latest of these steps that its company was reminded at.
ALTER TABLE invoices ADD COLUMN reminded_days integer NOT NULL DEFAULT 0;
CREATE INDEX invoices_open_due ON invoices (due_at) WHERE status = 'issued';

-- Reminders to send, written by the transaction that decides on them. Deleted when they are sent.
CREATE TABLE invoice_mails (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  invoice_id bigint NOT NULL REFERENCES invoices ON DELETE CASCADE,
  address text NOT NULL,
  name text NOT NULL,
  language text NOT NULL CHECK (language IN ('en', 'id')),
  -- The Message-ID, the same for every attempt.
  message_id uuid NOT NULL DEFAULT gen_random_uuid(),
  attempts integer NOT NULL DEFAULT 0,
  -- The next attempt; while a process sends the mail, the end of its lease.
  next_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX invoice_mails_next_at ON invoice_mails (next_at);
CREATE INDEX invoice_mails_invoice ON invoice_mails (invoice_id);
