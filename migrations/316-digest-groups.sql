-- The key of the own column by whose values a digest sums the devices; null for none. The column may be removed since.
ALTER TABLE watches ADD COLUMN group_by text;
