-- The rows of a block are lists: the serial, then the values in the order of `keys`, null for an empty cell.
UPDATE imported_fields SET rows = coalesce((
  SELECT json_agg((
    SELECT json_agg(value ORDER BY nth)
    FROM (SELECT serial, 0 UNION ALL SELECT fields ->> key, nth FROM unnest(keys) WITH ORDINALITY AS k (key, nth)) AS listed (value, nth)))
  FROM json_to_recordset(rows) AS r (serial text, fields json)), '[]')
WHERE json_typeof(rows) = 'array';
