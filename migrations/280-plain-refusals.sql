-- A source is closed by refusals of three serials in a row; there is no early probe for a new serial any more.

ALTER TABLE sources DROP COLUMN few_serials, DROP COLUMN answered_at;
