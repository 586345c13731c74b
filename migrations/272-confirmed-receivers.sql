-- A receiver who unsubscribed stays out until the address confirms by a link of its own.
ALTER TABLE watch_receivers
  ADD COLUMN state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'unsubscribed', 'unconfirmed')),
  -- The token of the link that confirms.
  ADD COLUMN confirm_token uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  -- The latest mail with that link.
  ADD COLUMN asked_at timestamptz;
