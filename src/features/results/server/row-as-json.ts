/**
 * SQL that writes a row of `serials` as JSON, byte for byte what `describeRow` and `JSON.stringify` make of it.
 * @param today SQL of the day against which the expiry text is told
 */
export function rowAsJson(today: string): string {
  return `(SELECT row_to_json(j) FROM (SELECT ticket_id || '-' || position AS _id, position, serial AS serial_number, type,
      activation_status, purchase_date, warranty_title, coverage_start_date, coverage_end_date,
      CASE WHEN state = 'pending' THEN NULL
        WHEN coverage_end_date IS NULL THEN 'N/A'
        WHEN coverage_end_date < ${today} THEN 'Expired'
        WHEN coverage_end_date = ${today} THEN 'Expires today'
        ELSE coverage_end_date - ${today} || ' days' END AS coverage_expires,
      to_char(fetched_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS timestamp,
      state, reason, details, original, sheet_row, source, attempts, egress, cached) j)::text`;
}
