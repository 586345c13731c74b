-- The secret before the present one, sealed. It signs too until then, so that receivers can change theirs at any moment.
ALTER TABLE webhooks
  ADD COLUMN old_secret text,
  ADD COLUMN old_secret_until timestamptz,
  ADD CHECK ((old_secret IS NULL) = (old_secret_until IS NULL));
