-- Rows by the beginning and by the end of their serial, ticket by ticket: a search asks the tickets that a caller may see,
-- the newest first, and a ticket's rows are sorted by serial without sorting. A serial never changes, so that writing
-- an outcome does not touch these.
CREATE INDEX serials_beginning ON serials (ticket_id, serial COLLATE "C", position);
CREATE INDEX serials_end ON serials (ticket_id, reverse(serial) COLLATE "C");
