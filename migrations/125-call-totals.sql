-- Counts calls to sources by outcome for good, as a counter of Prometheus needs them; source_minutes has one day.
CREATE TABLE call_totals (
  source text NOT NULL,
  outcome text NOT NULL,
  calls bigint NOT NULL,
  PRIMARY KEY (source, outcome)
);
