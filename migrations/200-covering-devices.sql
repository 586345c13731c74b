-- One index instead of two for the serials of a company. Pages, counts and most filters are read from it alone. Texts of
-- sources are left out: PostgreSQL refuses entries of over 2,700 bytes.
CREATE UNIQUE INDEX devices_company_serial ON devices (company_code, serial)
  INCLUDE (id, activation_status, coverage_end_date, last_checked, changed_at);
ALTER TABLE devices DROP CONSTRAINT devices_company_code_serial_key;
DROP INDEX devices_counts;
-- Finds the devices that changed since a time. Most never change, and so are not in it.
CREATE INDEX devices_changed ON devices (company_code, changed_at) WHERE changed_at IS NOT NULL;
-- Finds the answers of a ticket up to a time.
CREATE INDEX device_answers_ticket_at ON device_answers (ticket_number, at);
DROP INDEX device_answers_ticket;
