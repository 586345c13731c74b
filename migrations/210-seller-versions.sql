-- Grows with every change, so that a form that was read before is recognised.
ALTER TABLE seller ADD COLUMN version integer NOT NULL DEFAULT 1;
