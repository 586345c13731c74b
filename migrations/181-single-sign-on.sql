-- People whom the identity provider has just identified. The browser exchanges the code for a session, once.
CREATE TABLE single_sign_on_codes (
  code_hash bytea PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  -- Of the user, when the code was made. A new password moves it, which ends the code.
  sessions_valid_from bigint NOT NULL
);
CREATE INDEX single_sign_on_codes_user ON single_sign_on_codes (user_id);
CREATE INDEX single_sign_on_codes_end ON single_sign_on_codes (expires_at);
