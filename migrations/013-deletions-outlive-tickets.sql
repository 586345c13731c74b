-- A deletion outlives its ticket: the rows of a ticket that is gone go in bounded transactions, too, so that nothing
-- that needs the ticket's lock waits for a million rows.
ALTER TABLE row_deletions DROP CONSTRAINT row_deletions_ticket_id_fkey;
