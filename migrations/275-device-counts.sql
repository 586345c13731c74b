-- The number of devices by company, activation and end of coverage, so that nothing counts millions of rows. The rows
-- with an empty company code are those of all companies together.
CREATE TABLE device_counts (
  company_code text NOT NULL,
  activation_status activation,
  coverage_end_date date,
  devices bigint NOT NULL,
  UNIQUE NULLS NOT DISTINCT (company_code, activation_status, coverage_end_date)
) WITH (fillfactor = 70); -- room for the next version of a row beside it

-- Runs once per statement. Whoever changes devices holds the lock of the register, so nobody waits for these rows.
CREATE FUNCTION count_devices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO device_counts AS c
    SELECT coalesce(company_code, ''), activation_status, coverage_end_date, count(*) FROM added
    GROUP BY activation_status, coverage_end_date, ROLLUP (company_code) ORDER BY 1, 2, 3
    ON CONFLICT (company_code, activation_status, coverage_end_date) DO UPDATE SET devices = c.devices + excluded.devices;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO device_counts AS c
    SELECT coalesce(company_code, ''), activation_status, coverage_end_date, -count(*) FROM removed
    GROUP BY activation_status, coverage_end_date, ROLLUP (company_code) ORDER BY 1, 2, 3
    ON CONFLICT (company_code, activation_status, coverage_end_date) DO UPDATE SET devices = c.devices + excluded.devices;
  ELSE
    INSERT INTO device_counts AS c
    SELECT coalesce(company_code, ''), activation_status, coverage_end_date, sum(change)
    FROM (SELECT company_code, activation_status, coverage_end_date, 1 AS change FROM added
          UNION ALL
          SELECT company_code, activation_status, coverage_end_date, -1 FROM removed) AS changes
    GROUP BY activation_status, coverage_end_date, ROLLUP (company_code) HAVING sum(change) <> 0 ORDER BY 1, 2, 3
    ON CONFLICT (company_code, activation_status, coverage_end_date) DO UPDATE SET devices = c.devices + excluded.devices;
  END IF;
  RETURN NULL;
END $$;
-- These lock the table against changes until the counts below are stored.
CREATE TRIGGER devices_counted_insert AFTER INSERT ON devices
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_devices();
CREATE TRIGGER devices_counted_update AFTER UPDATE ON devices
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_devices();
CREATE TRIGGER devices_counted_delete AFTER DELETE ON devices
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_devices();

INSERT INTO device_counts
SELECT coalesce(company_code, ''), activation_status, coverage_end_date, count(*) FROM devices
GROUP BY activation_status, coverage_end_date, ROLLUP (company_code);

CREATE OR REPLACE FUNCTION delete_client_devices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM devices WHERE company_code IN (SELECT company_code FROM deleted);
  DELETE FROM device_counts WHERE company_code IN (SELECT company_code FROM deleted);
  RETURN NULL;
END $$;
