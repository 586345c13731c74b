-- The devices of a company are checked again on a schedule. Created when it is first read.
CREATE TABLE rechecks (
  company_code text PRIMARY KEY REFERENCES clients (company_code) ON DELETE CASCADE,
  active boolean NOT NULL DEFAULT false,
  cadence text NOT NULL DEFAULT 'monthly' CHECK (cadence IN ('monthly', 'quarterly')),
  -- The view whose devices are checked; null for all. It stays after the view is deleted, so that not all are checked then.
  view_id bigint,
  -- The most devices of one ticket.
  cap integer NOT NULL DEFAULT 10000,
  -- The day of the next run in APP_TIMEZONE; null while the schedule is not active.
  next_on date
);
CREATE INDEX rechecks_next_on ON rechecks (next_on);

-- Each time that devices were to be checked again. The import of its ticket has the key 'recheck ID'.
CREATE TABLE recheck_runs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  company_code text NOT NULL REFERENCES rechecks ON DELETE CASCADE,
  -- The day of the schedule; null for a run by hand.
  due_on date,
  started_at timestamptz NOT NULL,
  -- The code of the reason why it made no ticket, and the number of devices.
  refusal text,
  refused_count integer,
  attempts integer NOT NULL DEFAULT 0,
  -- The next attempt; while a process makes the ticket, the end of its lease.
  next_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (company_code, due_on)
);

-- The imports that the product makes by itself: at most one per key, also after its ticket is deleted.
CREATE TABLE own_imports (
  key text PRIMARY KEY,
  ticket_number bigint NOT NULL
);

-- Finds the answers that a ticket changed.
CREATE INDEX device_answers_ticket ON device_answers (ticket_number);
