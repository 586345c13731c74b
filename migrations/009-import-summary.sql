-- Whether the sheet began with a header; the import's other counts stand on its ticket already. Of older imports only
-- those of the last day are known by the answers that are kept for repeats.
ALTER TABLE tickets ADD header_skipped boolean NOT NULL DEFAULT false;
UPDATE tickets SET header_skipped = true FROM uploads
WHERE uploads.status = 201 AND (uploads.answer ->> 'header_skipped')::boolean
  AND tickets.id = (uploads.answer -> 'ticket' ->> '_id')::bigint;
