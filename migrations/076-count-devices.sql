-- Counts and filters of one company's devices are read from this index alone. Texts of sources are left out: PostgreSQL
-- refuses entries of over 2,700 bytes.
CREATE INDEX devices_counts ON devices (company_code, serial)
  INCLUDE (activation_status, coverage_end_date, last_checked, changed_at);
