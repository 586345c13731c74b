-- Whether a user is mailed about the end of their uploads, and from how many rows on. Without a row: these defaults.
CREATE TABLE notifications (
  user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  completed boolean NOT NULL DEFAULT true,
  from_rows integer NOT NULL DEFAULT 1000
);

-- Whether it was decided who is mailed about the ticket: once when it is Completed, once when it waits. Present tickets count
-- as decided.
ALTER TABLE tickets ADD COLUMN completion_told boolean NOT NULL DEFAULT true, ADD COLUMN wait_told boolean NOT NULL DEFAULT true;
ALTER TABLE tickets ALTER COLUMN completion_told SET DEFAULT false, ALTER COLUMN wait_told SET DEFAULT false;
CREATE INDEX tickets_completion_untold ON tickets (id) WHERE status = 'Completed' AND NOT completion_told;
CREATE INDEX tickets_wait_untold ON tickets (waiting_since) WHERE waiting_for IS NOT NULL AND NOT wait_told;

-- Mails about tickets to send, written by the transaction that decides on them. Deleted when they are sent.
CREATE TABLE ticket_mails (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  ticket_id bigint NOT NULL REFERENCES tickets ON DELETE CASCADE,
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('completed', 'waiting')),
  -- The Message-ID, the same for every attempt.
  message_id uuid NOT NULL DEFAULT gen_random_uuid(),
  attempts integer NOT NULL DEFAULT 0,
  -- The next attempt; while a process sends the mail, the end of its lease.
  next_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ticket_mails_next_at ON ticket_mails (next_at);
CREATE INDEX ticket_mails_ticket ON ticket_mails (ticket_id);
CREATE INDEX ticket_mails_user ON ticket_mails (user_id);
