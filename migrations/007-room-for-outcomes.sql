-- A row grows to about three times its size when its outcome is written. With that much room left, it stays on its page
-- and its index entry stays as it is: a third less work for each outcome, and the table ends smaller than before.
-- Rows that are there already stay where they are.
ALTER TABLE serials SET (fillfactor = 30);
