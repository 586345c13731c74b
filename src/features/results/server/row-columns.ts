import { describeExpiry } from './coverage-expiry.ts';
import { resultRow, type SerialRow } from './coverage-rows.ts';

const names = Object.keys(resultRow) as (keyof SerialRow)[];
const lists = names.map((name) => `json_agg(${name === 'fetched_at' ? `${name} AT TIME ZONE 'UTC'` : name})`);

/**
 * SQL of some rows as one text: the JSON of a list for each column of `resultRow`; null without rows. PostgreSQL writes that
 * in a third of the time of a JSON object for each row, and to `pg` it is one value.
 */
export const rowsByColumn = `CASE WHEN count(*) > 0 THEN concat('[', ${lists.join(", ',', ")}, ']') END`;

type Values = { [Name in keyof SerialRow]: SerialRow[Name][] };

/** The rows of `rowsByColumn`, each as JSON, byte for byte what `describeRow` and `JSON.stringify` make of it. */
export function writeColumns(columns: string, today: string): string[] {
  const parsed = JSON.parse(columns) as unknown[][];
  const of = Object.fromEntries(names.map((name, i) => [name, parsed[i]])) as Values;
  const instants = parsed[names.indexOf('fetched_at')] as (string | null)[];
  // Many rows end on one day, and a day is dear to count from.
  const expiries = new Map<string | null | undefined, string | null>();
  return of.position.map((position, i) => {
    const [state, end = null] = [of.state[i] ?? 'pending', of.coverage_end_date[i]];
    let expiry = expiries.get(end);
    if (expiry === undefined) {
      expiry = describeExpiry('done', end, today);
      expiries.set(end, expiry);
    }
    // The order of `describeRow`.
    return JSON.stringify({
      _id: `${of.ticket_id[i]}-${position}`,
      position,
      serial_number: of.serial[i],
      type: of.type[i],
      activation_status: of.activation_status[i],
      purchase_date: of.purchase_date[i],
      warranty_title: of.warranty_title[i],
      coverage_start_date: of.coverage_start_date[i],
      coverage_end_date: end,
      coverage_expires: state === 'pending' ? null : expiry,
      timestamp: toMilliseconds(instants[i] ?? null),
      state,
      reason: of.reason[i],
      details: of.details[i],
      original: of.original[i],
      sheet_row: of.sheet_row[i],
      source: of.source[i],
      attempts: of.attempts[i],
      egress: of.egress[i],
      cached: of.cached[i],
    });
  });
}

/** `2026-11-22T10:00:00.12` in UTC, which has as many digits as it needs, as `toISOString` writes it. */
function toMilliseconds(instant: string | null): string | null {
  if (instant === null) return null;
  const [whole = '', fraction = ''] = instant.split('.');
  return `${whole}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
}
