-- Coverage that ends "this month" is counted from today on, so the counts are kept by day instead of by month.
DROP TABLE ticket_end_months;

-- How many devices of a ticket end their coverage on which day. Kept by the statements that write outcomes; gone with the
-- ticket or its results.
CREATE TABLE ticket_end_days (
  ticket_id bigint NOT NULL REFERENCES tickets ON DELETE CASCADE,
  day date NOT NULL,
  devices integer NOT NULL,
  PRIMARY KEY (ticket_id, day)
);

INSERT INTO ticket_end_days
SELECT s.ticket_id, s.coverage_end_date, count(*)
FROM serials s JOIN tickets t ON t.id = s.ticket_id
WHERE s.coverage_end_date IS NOT NULL AND NOT t.coverage_deleted
GROUP BY s.ticket_id, s.coverage_end_date;
