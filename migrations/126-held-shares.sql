-- The slots and bytes that callers hold of each kind of costly work, in all API processes together. A share that its
-- process does not renew expires. Unlogged, since a crash of the database ends all that was held.
CREATE UNLOGGED TABLE held_shares (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  user_id bigint NOT NULL,
  -- The company; all superadmins together are one.
  company text NOT NULL,
  amount bigint NOT NULL,
  expires_at timestamptz NOT NULL
);
