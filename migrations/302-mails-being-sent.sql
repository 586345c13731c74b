-- Whether a process took the mail and is sending it until `next_at`, unless it was killed.
ALTER TABLE invoice_mails ADD COLUMN sending boolean NOT NULL DEFAULT false;
