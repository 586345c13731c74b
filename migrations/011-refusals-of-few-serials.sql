-- A source that refuses the account at one serial alone does not refuse everybody.

ALTER TABLE sources
  -- The circuit was opened by refusals about so few serials that another one may well be answered.
  ADD COLUMN few_serials boolean NOT NULL DEFAULT false,
  -- When a probe was answered last.
  ADD COLUMN answered_at timestamptz;
