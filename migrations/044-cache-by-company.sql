-- Answers are shared within a company only. Nobody knows for whom the cached ones were asked.
TRUNCATE coverage_cache;
ALTER TABLE coverage_cache ADD COLUMN company_code text NOT NULL;
ALTER TABLE coverage_cache DROP CONSTRAINT coverage_cache_pkey;
ALTER TABLE coverage_cache ADD PRIMARY KEY (company_code, source_key, serial);
