-- An Idempotency-Key counts per user and company: a user may get another company.
ALTER TABLE uploads ADD COLUMN company_code text NOT NULL DEFAULT '';
UPDATE uploads SET company_code = u.company_code FROM users u WHERE u.id = user_id AND u.company_code IS NOT NULL;
ALTER TABLE uploads ALTER COLUMN company_code DROP DEFAULT;
ALTER TABLE uploads DROP CONSTRAINT uploads_pkey;
ALTER TABLE uploads ADD PRIMARY KEY (user_id, company_code, key);
