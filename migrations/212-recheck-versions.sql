-- Grows with every change of the settings, so that a form that was read before is recognised.
ALTER TABLE rechecks ADD COLUMN version integer NOT NULL DEFAULT 1;
