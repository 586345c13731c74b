-- Tickets whose uploaded rows or results are being deleted, in bounded transactions; whoever starts next finishes what
-- a crash left. `round` grows with every request, so that an older deletion does not end a newer one.
CREATE TABLE row_deletions (
  ticket_id bigint PRIMARY KEY REFERENCES tickets ON DELETE CASCADE,
  round integer NOT NULL DEFAULT 1
);
