-- Wrong passwords count for an account, for an address, and for one from the other; where somebody signed in before,
-- what strangers tried does not shut them out.
CREATE INDEX login_failures_address ON login_failures (address, failed_at);

CREATE TABLE known_addresses (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  -- An IPv4 address, or the /64 of an IPv6 one.
  address text NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, address)
);
