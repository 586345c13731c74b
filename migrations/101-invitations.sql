-- People who were mailed a link to choose a password and become a user. Accepting or withdrawing deletes the invitation.
CREATE TABLE invitations (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  token_hash bytea NOT NULL UNIQUE,
  email text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  role text NOT NULL CHECK (role IN ('superadmin', 'company-admin', 'user')),
  company_code text NOT NULL REFERENCES clients (company_code) ON DELETE CASCADE,
  invited_by bigint REFERENCES users ON DELETE SET NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX invitations_email ON invitations (lower(email));
CREATE INDEX invitations_company ON invitations (company_code);
CREATE INDEX invitations_inviter ON invitations (invited_by);
