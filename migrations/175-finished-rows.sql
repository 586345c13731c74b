-- The order in which the rows of a ticket finished, in blocks of at most 1,000 rows: each transaction that finishes rows
-- appends blocks while it holds the ticket's lock. `last_place` is the place of a block's last row, counted from 1. A row
-- that is looked up again leaves a null behind and gets a new place. No foreign key: deleted in steps, like the rows.
CREATE TABLE finished_rows (
  ticket_id bigint NOT NULL,
  last_place bigint NOT NULL,
  positions integer[] NOT NULL,
  PRIMARY KEY (ticket_id, last_place)
);

-- Workers of the release before write no places. Without a registration they write no results, and end at their next
-- heartbeat.
DELETE FROM processes;

-- The rows so far, in the order of the sheet.
INSERT INTO finished_rows (ticket_id, last_place, positions)
SELECT ticket_id, sum(cardinality(positions)) OVER (PARTITION BY ticket_id ORDER BY positions[1]), positions
FROM (
  SELECT s.ticket_id, array_agg(s.position ORDER BY s.position) AS positions
  FROM tickets t JOIN serials s ON s.ticket_id = t.id
  WHERE s.state <> 'pending' AND NOT t.coverage_deleted
  GROUP BY s.ticket_id, s.position / 1000
) AS blocks;
