-- A second factor of sign-in: codes of an authenticator app (TOTP).
ALTER TABLE users ADD COLUMN second_factor boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN users.second_factor IS 'Whether signing in needs a code. A secret without this is being set up.';

CREATE TABLE second_factors (
  user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  -- Base32, sealed.
  secret text NOT NULL,
  -- The latest 30-second step whose code was used. Codes up to it count no more.
  last_step bigint NOT NULL DEFAULT 0
);

-- Codes that each replace one code of the app. A used code is deleted.
CREATE TABLE recovery_codes (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  PRIMARY KEY (user_id, code_hash)
);

-- Sign-ins whose password was right, and which wait for a code.
CREATE TABLE sign_in_challenges (
  challenge_hash bytea PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- Of the user, when the password was right. A new password moves it, which ends the challenge.
  sessions_valid_from bigint NOT NULL,
  wrong_codes integer NOT NULL DEFAULT 0
);
CREATE INDEX sign_in_challenges_user ON sign_in_challenges (user_id, created_at);
