-- ETags are hashes of answers: nothing has to know any more which transaction changed a ticket.
DROP TRIGGER note_changed ON serials;
DROP TRIGGER note_changed ON tickets;
DROP FUNCTION note_changed_row();
DROP FUNCTION note_changed_ticket();
DROP TABLE ticket_changes;
