-- Grows with every change of the settings, also by an unsubscription, so that a form that was read before is recognised.
ALTER TABLE watches ADD COLUMN version integer NOT NULL DEFAULT 1;
