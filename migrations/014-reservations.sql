-- Which job asks about a serial now: the same serial of another ticket waits for its answer. Unlogged, since what a crash
-- of the database forgets costs no more than a question that is asked twice. A reservation counts while its job is held and
-- its row is pending, so that nobody has to clean up after whoever dies.
CREATE UNLOGGED TABLE reservations (
  serial_hash bigint PRIMARY KEY,
  job uuid NOT NULL,
  ticket_id bigint NOT NULL,
  position integer NOT NULL
);
CREATE INDEX reservations_job ON reservations (job);
