-- The expiry watch of a company. Created when it is first read.
CREATE TABLE watches (
  company_code text PRIMARY KEY REFERENCES clients (company_code) ON DELETE CASCADE,
  active boolean NOT NULL DEFAULT false,
  cadence text NOT NULL DEFAULT 'weekly' CHECK (cadence IN ('weekly', 'monthly')),
  -- 1 (Monday) to 7 of a week, or 1 to 28 of a month.
  day integer NOT NULL DEFAULT 1 CHECK (day BETWEEN 1 AND 28),
  horizon_days integer NOT NULL DEFAULT 30,
  language text NOT NULL DEFAULT 'en' CHECK (language IN ('en', 'id')),
  -- The secret of the calendar's address, sealed, and its SHA-256 for finding it.
  secret text NOT NULL,
  secret_hash bytea NOT NULL UNIQUE,
  -- The day of the next digest in APP_TIMEZONE; null while the watch is not active.
  next_on date
);
CREATE INDEX watches_next_on ON watches (next_on);

CREATE TABLE watch_receivers (
  company_code text NOT NULL REFERENCES watches ON DELETE CASCADE,
  address text NOT NULL,
  -- The token of the link that removes this receiver.
  token uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  PRIMARY KEY (company_code, address)
);

-- The ends of coverage that a digest has told: each once per device and day.
CREATE TABLE watch_notices (
  device_id bigint NOT NULL REFERENCES devices ON DELETE CASCADE,
  ends_on date NOT NULL,
  PRIMARY KEY (device_id, ends_on)
);

-- Mails to send, written by the transaction that decides on them. Deleted when they are sent.
CREATE TABLE watch_mails (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  company_code text NOT NULL,
  address text NOT NULL,
  content jsonb NOT NULL,
  file_name text NOT NULL,
  file bytea NOT NULL,
  -- The Message-ID, the same for every attempt.
  message_id uuid NOT NULL DEFAULT gen_random_uuid(),
  attempts integer NOT NULL DEFAULT 0,
  -- The next attempt; while a process sends the mail, the end of its lease.
  next_at timestamptz NOT NULL DEFAULT now(),
  FOREIGN KEY (company_code, address) REFERENCES watch_receivers ON DELETE CASCADE
);
CREATE INDEX watch_mails_next_at ON watch_mails (next_at);
CREATE INDEX watch_mails_receiver ON watch_mails (company_code, address);
-- Reads the ends of coverage of one company for its digest and its calendar.
CREATE INDEX devices_company_end ON devices (company_code, coverage_end_date);
