import { readBatches } from '#server/db/bulk/read-batches.ts';
import {
  date,
  enumeration,
  int8,
  jsonb,
  listColumns,
  nullable,
  type RowOf,
  text,
  timestamptz,
} from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { type Statement, statement } from '#server/db/statement.ts';
import { normalisePart } from '#shared/search.ts';
import type { DeviceQuestion } from '../devices.contract.ts';
import { countAllDevices } from './counts/device-counts.queries.ts';

/** The fields of an answer about a device. */
export const answerRow = {
  type: nullable(text),
  activation_status: nullable(enumeration('activation', ['activated', 'unactivated'])),
  purchase_date: nullable(date),
  warranty_title: nullable(text),
  coverage_start_date: nullable(date),
  coverage_end_date: nullable(date),
};

const deviceRow = {
  id: int8,
  serial: text,
  company_code: text,
  ...answerRow,
  source: nullable(text),
  first_seen: timestamptz,
  last_checked: timestamptz,
  changed_at: nullable(timestamptz),
};
export type DeviceRow = RowOf<typeof deviceRow>;

/** The filters of the list, the scope (null: all companies), the current day (YYYY-MM-DD), and its time zone. */
export type AskedDevices = Omit<DeviceQuestion, 'sort' | 'order'> & {
  scope: string | null;
  today: string;
  timeZone: string;
  /** Leaves out activated devices whose coverage has ended: their answers change no more. */
  changeable?: boolean;
};

/** The devices of the companies `$1` (the scope) and `$2`. */
export const visibleDevices = `devices WHERE ($1::text IS NULL OR company_code = $1) AND ($2::text IS NULL OR company_code = $2)`;

/** A shorter part only matches the beginning and the end of serials. */
const minAnywhere = 5;

/** The devices that pass all filters. `$1` to `$19` are the `valuesOf` a query. */
const matchingDevices = `${visibleDevices}
  AND ($5::text IS NULL OR CASE WHEN length($5) >= ${minAnywhere} THEN strpos(serial, $5) > 0
    ELSE starts_with(serial, $5) OR "right"(serial, length($5)) = $5 END)
  AND ($6::text IS NULL OR coalesce(activation_status::text, 'unknown') = $6)
  AND ($7::text IS NULL OR type = $7) AND ($8::text IS NULL OR warranty_title = $8)
  AND ($9::date IS NULL OR coverage_end_date >= $9) AND ($10::date IS NULL OR coverage_end_date <= $10)
  AND ($11::boolean IS NULL OR (coverage_end_date < $3::date) = $11)
  AND ($12::boolean IS NULL OR (coverage_end_date IS NULL) = $12)
  AND ($13::date IS NULL OR last_checked < $13::timestamp AT TIME ZONE $4::text)
  AND ($14::date IS NULL OR changed_at >= $14::timestamp AT TIME ZONE $4::text)
  AND ($15::bigint IS NULL OR tickets @> ARRAY[$15])
  AND ($16::text IS NULL OR source = $16)
  AND ($17::integer IS NULL OR coverage_end_date BETWEEN $3::date AND $3::date + $17)
  AND ($18::boolean IS NOT TRUE OR (activation_status = 'activated' AND coverage_end_date < $3::date) IS NOT TRUE)
  AND ($19::bigint[] IS NULL OR id = ANY($19))`;

/** The values before those of the filters: the scope, a company, the day and its time zone. */
const scopeValues = 4;

function valuesOf(asked: AskedDevices): unknown[] {
  const { scope, company_code, today, timeZone, q, activation, type, warranty } = asked;
  const { ends_from, ends_to, expired, never_covered, checked_before, changed_since } = asked;
  const given = [
    q === undefined || q === '' ? null : normalisePart(q) || q,
    activation,
    type,
    warranty,
    ends_from,
    ends_to,
    expired && expired === 'true',
    never_covered && never_covered === 'true',
    checked_before,
    changed_since,
    asked.ticket_number,
    asked.source,
    asked.ends_within,
    asked.changeable,
    asked.ids && `{${asked.ids}}`,
  ];
  return [scope, company_code ?? null, today, timeZone, ...given.map((value) => value ?? null)];
}

const count = statement({ text: `SELECT count(*) FROM ${matchingDevices}`, row: { count: int8 } });

/** Counts the devices that pass the filters. Without filters the number is kept, so that no device is read. */
export async function countDevices(db: Queryable, asked: AskedDevices): Promise<number> {
  const { scope, company_code: companyCode = null, today } = asked;
  const values = valuesOf(asked);
  const isFiltered = values.slice(scopeValues).some((value) => value !== null);
  return isFiltered
    ? (await count.one(db, values)).count
    : (await countAllDevices(db, scope, companyCode, today)).all;
}

const sortColumns: Record<DeviceQuestion['sort'], string> = {
  serial_number: 'serial',
  type: 'type COLLATE "C"',
  coverage_end_date: 'coverage_end_date',
  last_checked: 'last_checked',
};

const sortBy = (column: string, order: 'asc' | 'desc') =>
  `ORDER BY ${column} ${order} NULLS LAST, serial, id`;

/** Sorts ids, for which most filters read an index alone. Only the devices of the page are read from the table. */
const listSorted = (column: string, order: 'asc' | 'desc') =>
  statement({
    text: `SELECT ${listColumns(deviceRow)} FROM devices
       JOIN (SELECT id FROM ${matchingDevices} ${sortBy(column, order)} LIMIT $20 OFFSET $21) AS page USING (id)
       ${sortBy(column, order)}`,
    row: deviceRow,
  });

const readSorted = (column: string, order: 'asc' | 'desc') =>
  statement({
    text: `SELECT ${listColumns(deviceRow)} FROM ${matchingDevices} ${sortBy(column, order)}`,
    row: deviceRow,
  });

type Statements = Record<DeviceQuestion['sort'], Record<'asc' | 'desc', Statement<typeof deviceRow>>>;
const inOrder = (make: typeof listSorted) =>
  Object.fromEntries(
    Object.entries(sortColumns).map(([sort, column]) => [
      sort,
      { asc: make(column, 'asc'), desc: make(column, 'desc') },
    ]),
  ) as Statements;
const pages = inOrder(listSorted);
const whole = inOrder(readSorted);

type Order = Pick<DeviceQuestion, 'sort' | 'order'>;

/** Lists one page of the devices that pass the filters. Devices without the sorted value come last. */
export function listDevicePage(
  db: Queryable,
  asked: AskedDevices,
  { sort, order }: Order,
  limit: number,
  offset: number,
): Promise<DeviceRow[]> {
  return pages[sort][order].all(db, [...valuesOf(asked), limit, offset]);
}

/** Reads all devices that pass the filters, in batches, as of the first batch. */
export function readDevices(
  client: Queryable,
  asked: AskedDevices,
  { sort, order }: Order,
  rowsAtOnce: number,
): AsyncGenerator<DeviceRow[]> {
  return readBatches(client, whole[sort][order], valuesOf(asked), rowsAtOnce);
}

// A ticket may be registered before an older one.
export const findDevice = statement({
  text: `SELECT ${listColumns(deviceRow)}, to_jsonb(ARRAY(SELECT unnest(tickets) ORDER BY 1)) AS tickets FROM devices
     WHERE id = $1 AND ($2::text IS NULL OR company_code = $2)`,
  row: { ...deviceRow, tickets: jsonb<number[]>() },
}).firstWith<[id: number, scope: string | null]>();

/** Lists devices by id, those whose coverage ends first at the beginning. */
export const listDevicesById = statement({
  text: `SELECT ${listColumns(deviceRow)} FROM devices WHERE id = ANY ($1::bigint[]) ORDER BY coverage_end_date, serial`,
  row: deviceRow,
}).allWith<[ids: number[]]>();

const storedAnswer = { at: timestamptz, ticket_number: int8, source: nullable(text), ...answerRow };
export type AnswerRow = RowOf<typeof storedAnswer>;

/** Lists the first answer about a device and each different one, oldest first. */
export const listDeviceAnswers = statement({
  text: `SELECT ${listColumns(storedAnswer)} FROM device_answers WHERE device_id = $1 ORDER BY at`,
  row: storedAnswer,
}).allWith<[id: number]>();

const findLastId = statement({
  text: 'SELECT coalesce(max(id), 0) AS id FROM devices',
  row: { id: int8 },
}).valueWith();

const deviceKey = { company_code: text, serial: text, id: int8 };
/** A place in the order of company and serial. */
type Place = Pick<RowOf<typeof deviceKey>, 'company_code' | 'serial'>;

const listKeys = statement({
  text: `SELECT ${listColumns(deviceKey)} FROM ${matchingDevices} AND (company_code, serial) > ($20, $21) AND id <= $22
     ORDER BY company_code, serial LIMIT $23`,
  row: deviceKey,
});

/**
 * Lists the ids of the devices that pass the filters in slices of at most `limit`. Each slice is found when it is asked
 * for. Devices that are added after the first call are left out.
 */
export async function* listDeviceIds(db: Queryable, asked: AskedDevices, limit: number) {
  const lastId = await findLastId(db);
  let last: Place = { company_code: '', serial: '' };
  for (;;) {
    const slice = await listKeys.all(db, [...valuesOf(asked), last.company_code, last.serial, lastId, limit]);
    const end = slice.at(-1);
    if (!end) return;
    yield slice.map(({ id }) => id);
    last = end;
  }
}

const listSerials = statement({
  text: `SELECT serial FROM ${matchingDevices} ORDER BY serial LIMIT $20`,
  row: { serial: text },
});

/** Lists the serials of the first `most` devices that pass the filters. */
export async function listDeviceSerials(db: Queryable, asked: AskedDevices, most: number): Promise<string[]> {
  return (await listSerials.all(db, [...valuesOf(asked), most])).map(({ serial }) => serial);
}
