-- The oldest answers are deleted a few at a time, which a BRIN index cannot find in their order.
DROP INDEX coverage_cache_age;
CREATE INDEX coverage_cache_age ON coverage_cache (fetched_at);
