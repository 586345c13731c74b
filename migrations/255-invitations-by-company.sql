-- Each company invites an address for itself, so that no company keeps another from its people.
DROP INDEX invitations_email;
CREATE UNIQUE INDEX invitations_email ON invitations (lower(email), company_code);
