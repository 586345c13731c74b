-- What each company knows about its devices: one row per identifier that ever had a result.
CREATE TABLE devices (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  company_code text NOT NULL REFERENCES clients (company_code) ON DELETE CASCADE,
  serial text NOT NULL COLLATE "C",
  -- The latest answer, and the source that gave it.
  type text,
  activation_status activation,
  purchase_date date,
  warranty_title text,
  coverage_start_date date,
  coverage_end_date date,
  source text,
  first_seen timestamptz NOT NULL,
  last_checked timestamptz NOT NULL,
  -- When an answer last differed from the one before; null until then.
  changed_at timestamptz,
  -- The numbers of the tickets that had the device, also of deleted ones.
  tickets bigint[] NOT NULL,
  UNIQUE (company_code, serial)
);

-- The first answer about a device, and each answer that differs from the one before.
CREATE TABLE device_answers (
  device_id bigint NOT NULL REFERENCES devices ON DELETE CASCADE,
  at timestamptz NOT NULL,
  ticket_number bigint NOT NULL,
  source text,
  type text,
  activation_status activation,
  purchase_date date,
  warranty_title text,
  coverage_start_date date,
  coverage_end_date date,
  PRIMARY KEY (device_id, at)
);

-- Results that the register does not have yet, noted by the transaction that wrote them. The transaction that registers
-- them deletes the note.
CREATE TABLE unregistered_results (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  ticket_id bigint NOT NULL,
  ticket_number bigint NOT NULL,
  company_code text NOT NULL,
  positions integer[] NOT NULL
);
CREATE INDEX unregistered_results_ticket ON unregistered_results (ticket_id);

INSERT INTO unregistered_results (ticket_id, ticket_number, company_code, positions)
SELECT t.id, t.ticket_number, t.company_code, array_agg(s.position)
FROM tickets t JOIN serials s ON s.ticket_id = t.id
WHERE s.state = 'done' AND NOT t.coverage_deleted
GROUP BY t.id, t.ticket_number, t.company_code, s.position / 1000
ORDER BY min(s.fetched_at);

-- Set where a deletion also forgets the devices that no other ticket had.
ALTER TABLE row_deletions ADD COLUMN forgets_devices boolean NOT NULL DEFAULT false,
  ADD COLUMN ticket_number bigint, ADD COLUMN company_code text;
