-- Keys by which programs call the API as their owner. Another role or company of the owner, or deactivation, deletes them.
CREATE TABLE api_tokens (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  name text NOT NULL,
  scope text NOT NULL CHECK (scope IN ('read', 'write')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  last_used timestamptz
);
CREATE INDEX api_tokens_user ON api_tokens (user_id);
