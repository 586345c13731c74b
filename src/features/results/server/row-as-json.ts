const text = (column: string) => `coalesce(to_json(${column})::text, 'null')`;
/** Of words, days and instants, in which nothing has to be escaped. */
const word = (value: string) => `coalesce('"' || ${value} || '"', 'null')`;

/**
 * SQL that writes a row of `serials` as JSON, byte for byte what `describeRow` and `JSON.stringify` make of it. Piece by piece:
 * row_to_json takes a fifth longer.
 * @param today SQL of the day against which the expiry text is told
 */
export function rowAsJson(today: string): string {
  const expiry = `CASE WHEN state = 'pending' THEN NULL
      WHEN coverage_end_date IS NULL THEN 'N/A'
      WHEN coverage_end_date < ${today} THEN 'Expired'
      WHEN coverage_end_date = ${today} THEN 'Expires today'
      ELSE coverage_end_date - ${today} || ' days' END`;
  const instant = `to_char(fetched_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const fields = {
    _id: word("ticket_id || '-' || position"),
    position: 'position',
    serial_number: text('serial'),
    type: text('type'),
    activation_status: word('activation_status'),
    purchase_date: word('purchase_date'),
    warranty_title: text('warranty_title'),
    coverage_start_date: word('coverage_start_date'),
    coverage_end_date: word('coverage_end_date'),
    coverage_expires: word(`(${expiry})`),
    timestamp: word(instant),
    state: word('state'),
    reason: text('reason'),
    details: text('details'),
    original: text('original'),
    sheet_row: 'sheet_row',
    source: text('source'),
    attempts: 'attempts',
    egress: text('egress'),
    cached: "coalesce(cached::text, 'null')",
  };
  const pieces = Object.entries(fields).map(
    ([name, value], i) => `'${i === 0 ? '{' : ','}"${name}":', ${value}`,
  );
  return `concat(${pieces.join(', ')}, '}')`;
}
