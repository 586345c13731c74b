-- How often devices of a company were deleted, so that open screens notice it.
CREATE TABLE device_deletions (
  company_code text PRIMARY KEY REFERENCES clients (company_code) ON DELETE CASCADE,
  deletions bigint NOT NULL
);
