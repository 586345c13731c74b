-- Backups are ordered by their ids, because a clock may have been ahead.
DROP INDEX backups_ended;
