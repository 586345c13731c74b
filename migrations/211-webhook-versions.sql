-- Grows with every change of the settings, also when it is switched off after failures, so that a form that was read before is recognised.
ALTER TABLE webhooks ADD COLUMN version integer NOT NULL DEFAULT 1;
