-- The most that a company's imports may cost in a month. Without a row there is no limit.
CREATE TABLE budgets (
  company_code text PRIMARY KEY REFERENCES clients (company_code) ON DELETE CASCADE,
  monthly_rupiah bigint NOT NULL CHECK (monthly_rupiah >= 0)
);
