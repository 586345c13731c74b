-- Kept aggregates for the pictures on Home, so that no screen scans rows.

-- How many devices of a ticket end their coverage in which month (the first day of it). Kept by the statements that
-- write outcomes; gone with the ticket or its results.
CREATE TABLE ticket_end_months (
  ticket_id bigint NOT NULL REFERENCES tickets ON DELETE CASCADE,
  month date NOT NULL,
  devices integer NOT NULL,
  PRIMARY KEY (ticket_id, month)
);

CREATE INDEX ticket_minutes_minute ON ticket_minutes (minute);
