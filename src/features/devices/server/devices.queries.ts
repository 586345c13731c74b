import type { CountCache } from '#server/concurrency/count-cache.ts';
import { readBatches } from '#server/db/bulk/read-batches.ts';
import {
  array,
  bool,
  date,
  enumeration,
  int8,
  jsonb,
  listColumns,
  nullable,
  type RowOf,
  text,
  timestamptz,
  type ValuesOf,
} from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { filterSql, valuesOfFilters } from '#server/db/filter-sql.queries.ts';
import { statement } from '#server/db/statement.ts';
import { deviceFilters } from '#shared/device-filters.ts';
import { normalisePart } from '#shared/search.ts';
import type { DeviceQuery } from '../devices.contract.ts';
import { sortedField } from '../fields.shared.ts';
import { countAllDevices, findRegisterVersion } from './counts/device-counts.queries.ts';
import { fieldFilterValues } from './fields/field-filter.ts';
import {
  fieldFilterParams,
  joinedFields,
  joinFields,
  passesFieldFilter,
  sortedValue,
  type Values,
} from './fields/field-values.queries.ts';

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
const withFields = { ...deviceRow, fields: jsonb<Values>() };
export type DeviceRow = RowOf<typeof withFields>;

/** The filters of the list, the scope (null: all companies), the current day (YYYY-MM-DD), and its time zone. */
export type ScopedDeviceQuery = Omit<DeviceQuery, 'sort' | 'order'> & {
  scope: string | null;
  today: string;
  timeZone: string;
  /** Leaves out activated devices whose coverage has ended: their answers change no more. */
  changeable?: boolean;
};

/** The devices of the companies `:scope` and `:companyCode` (null: all). */
export const visibleDevices =
  'devices WHERE (:scope::text IS NULL OR company_code = :scope) AND (:companyCode::text IS NULL OR company_code = :companyCode)';

/** SQL: devices with the values of own columns, which PostgreSQL reads only where a statement needs them. */
const valuedDevices = `devices ${joinFields('devices.company_code', 'devices.serial')}`;
/** SQL: these devices with `sorted_value` beside their values. */
const sortedDevices = `devices ${joinFields('devices.company_code', 'devices.serial', sortedValue)}`;
const deviceColumns = `${listColumns(deviceRow)}, ${joinedFields}`;

/** A shorter part only matches the beginning and the end of serials. */
const minAnywhere = 5;

/** The conditions of the filters by the end of coverage, on the day `:today`. */
export const coverageConditions = {
  ends_from: 'coverage_end_date >= :ends_from',
  ends_to: 'coverage_end_date <= :ends_to',
  ends_within: 'coverage_end_date BETWEEN :today::date AND :today::date + :ends_within',
  expired: '(coverage_end_date < :today::date) = :expired',
};

/** The condition of the filter by activation. The planner knows how often a column has a value, but not an expression. */
export const activationIs = `CASE WHEN :activation = 'unknown' THEN activation_status IS NULL
    ELSE activation_status = :activation::activation END`;

const sql = filterSql(deviceFilters, deviceRow, {
  q: `CASE WHEN length(:q) >= ${minAnywhere} THEN strpos(serial, :q) > 0
    ELSE starts_with(serial, :q) OR "right"(serial, length(:q)) = :q END`,
  activation: activationIs,
  warranty: 'warranty_title = :warranty',
  ...coverageConditions,
  never_covered: '(coverage_end_date IS NULL) = :never_covered',
  checked_before: 'last_checked < :checked_before::timestamp AT TIME ZONE :timeZone::text',
  changed_since: 'changed_at >= :changed_since::timestamp AT TIME ZONE :timeZone::text',
  ticket_number: 'tickets @> ARRAY[:ticket_number]',
});

/** SQL: the devices that pass all filters. Its parameters are `filters`. */
const whereMatching = `WHERE (:scope::text IS NULL OR company_code = :scope)
  ${sql.passes}
  AND (:changeable::boolean IS NOT TRUE OR (activation_status = 'activated' AND coverage_end_date < :today::date) IS NOT TRUE)
  AND (:ids::bigint[] IS NULL OR id = ANY(:ids))
  ${passesFieldFilter('coalesce(:scope::text, :company_code::text, own.fields_company)')}`;
const matchingDevices = `${valuedDevices} ${whereMatching}`;

const filters = {
  scope: nullable(text),
  today: date,
  timeZone: text,
  ...sql.params,
  changeable: nullable(bool),
  ids: nullable(array(int8)),
  ...fieldFilterParams,
};

/** Returns the values of the filters; null or undefined for a filter that is not set. */
function filterValues(scopedQuery: ScopedDeviceQuery) {
  const { q, changeable, ids, field } = scopedQuery;
  return {
    ...valuesOfFilters(deviceFilters, scopedQuery),
    q: q ? normalisePart(q) || q : null,
    changeable,
    ids: ids?.split(',').map(Number),
    ...fieldFilterValues(field),
  };
}

function valuesOf(scopedQuery: ScopedDeviceQuery): ValuesOf<typeof filters> {
  const { scope, today, timeZone } = scopedQuery;
  return { scope, today, timeZone, ...filterValues(scopedQuery) };
}

const count = statement({
  text: `SELECT count(*) FROM ${matchingDevices}`,
  params: filters,
  row: { count: int8 },
});

/**
 * Counts the devices that pass the filters. Without filters the number is kept, so that no device is read.
 * @param cache keeps the number until the register changes
 */
export async function countDevices(
  db: Queryable,
  scopedQuery: ScopedDeviceQuery,
  cache?: CountCache,
): Promise<number> {
  const { scope, company_code: companyCode = null, today } = scopedQuery;
  const { company_code: _, ...others } = filterValues(scopedQuery);
  const isFiltered = Object.values(others).some((value) => value !== null && value !== undefined);
  if (!isFiltered) return (await countAllDevices.one(db, { scope, companyCode, today })).all;
  const values = valuesOf(scopedQuery);
  const countMatching = async () => (await count.one(db, values)).count;
  if (!cache) return countMatching();
  // Read before the count, which may include later changes.
  const { version } = await findRegisterVersion.one(db, { scope, companyCode });
  return cache.get([version, values], countMatching);
}

/** The columns that lists are sorted by; `field` for an own column. */
const sortColumns = {
  serial_number: 'serial',
  type: 'type COLLATE "C"',
  coverage_end_date: 'coverage_end_date',
  last_checked: 'last_checked',
  field: 'own.sorted_value',
};
type Sorted = keyof typeof sortColumns;

const sortBy = (column: string, order: 'asc' | 'desc') =>
  `ORDER BY ${column} ${order} NULLS LAST, serial, id`;
const sortParams = { ...filters, fieldKey: nullable(text) };

/** Sorts ids, for which most filters read an index alone. Only the devices of the page are read from the table. */
const pageInOrder = (inOrder: string) => `SELECT ${deviceColumns} FROM ${sortedDevices}
  JOIN (SELECT id FROM ${sortedDevices} ${whereMatching} ${inOrder} LIMIT :limit OFFSET :offset) AS page USING (id) ${inOrder}`;
const listSorted = (column: string, order: 'asc' | 'desc') =>
  statement({
    text: pageInOrder(sortBy(column, order)),
    params: { ...sortParams, limit: int8, offset: int8 },
    row: withFields,
  });

const readSorted = (column: string, order: 'asc' | 'desc') =>
  statement({
    text: `SELECT ${deviceColumns} FROM ${sortedDevices} ${whereMatching} ${sortBy(column, order)}`,
    params: sortParams,
    row: withFields,
  });

const inOrder = <S>(make: (column: string, order: 'asc' | 'desc') => S) =>
  Object.fromEntries(
    Object.entries(sortColumns).map(([sort, column]) => [
      sort,
      { asc: make(column, 'asc'), desc: make(column, 'desc') },
    ]),
  ) as Record<Sorted, Record<'asc' | 'desc', S>>;
const pages = inOrder(listSorted);
const allByOrder = inOrder(readSorted);

type Order = Pick<DeviceQuery, 'sort' | 'order'>;

/** Returns the statement for an order, and the key of an own column. */
function chooseSorted<S>(statements: Record<Sorted, Record<'asc' | 'desc', S>>, { sort, order }: Order) {
  const fieldKey = sortedField(sort);
  return { sorted: statements[fieldKey === undefined ? (sort as Sorted) : 'field'][order], fieldKey };
}

/** Lists one page of the devices that pass the filters. Devices without the sorted value come last. */
export function listDevicePage(
  db: Queryable,
  scopedQuery: ScopedDeviceQuery,
  order: Order,
  limit: number,
  offset: number,
): Promise<DeviceRow[]> {
  const { sorted, fieldKey } = chooseSorted(pages, order);
  return sorted.all(db, { ...valuesOf(scopedQuery), fieldKey, limit, offset });
}

/** Reads all devices that pass the filters, in batches, as of the first batch. */
export function readDevices(
  client: Queryable,
  scopedQuery: ScopedDeviceQuery,
  order: Order,
  rowsAtOnce: number,
): AsyncGenerator<DeviceRow[]> {
  const { sorted, fieldKey } = chooseSorted(allByOrder, order);
  return readBatches(client, sorted, { ...valuesOf(scopedQuery), fieldKey }, rowsAtOnce);
}

// A ticket may be registered before an older one.
export const findDevice = statement({
  text: `SELECT ${deviceColumns}, to_jsonb(ARRAY(SELECT unnest(tickets) ORDER BY 1)) AS tickets FROM ${valuedDevices}
     WHERE id = :id AND (:scope::text IS NULL OR company_code = :scope)`,
  params: { id: int8, scope: nullable(text) },
  row: { ...withFields, tickets: jsonb<number[]>() },
});

/** Lists devices by id, those whose coverage ends first at the beginning. */
export const listDevicesById = statement({
  text: `SELECT ${deviceColumns} FROM ${valuedDevices} WHERE id = ANY (:ids::bigint[]) ORDER BY coverage_end_date, serial`,
  params: { ids: array(int8) },
  row: withFields,
});

const storedAnswer = { at: timestamptz, ticket_number: int8, source: nullable(text), ...answerRow };
export type AnswerRow = RowOf<typeof storedAnswer>;

/** Lists the first answer about a device and each different one, oldest first. */
export const listDeviceAnswers = statement({
  text: `SELECT ${listColumns(storedAnswer)} FROM device_answers WHERE device_id = :id ORDER BY at`,
  params: { id: int8 },
  row: storedAnswer,
});

const findLastId = statement({
  text: 'SELECT coalesce(max(id), 0) AS id FROM devices',
  row: { id: int8 },
});

const deviceKey = { company_code: text, serial: text, id: int8 };
/** A place in the order of company and serial. */
type Place = Pick<RowOf<typeof deviceKey>, 'company_code' | 'serial'>;

const listKeys = statement({
  text: `SELECT ${listColumns(deviceKey)} FROM ${matchingDevices}
       AND (company_code, serial) > (:afterCompany, :afterSerial) AND id <= :lastId
     ORDER BY company_code, serial LIMIT :limit`,
  params: { ...filters, afterCompany: text, afterSerial: text, lastId: int8, limit: int8 },
  row: deviceKey,
});

/**
 * Lists the devices that pass the filters in slices of at most `limit`. Each slice is found when it is asked for. Devices
 * that are added after the first call are left out.
 */
export async function* listDeviceKeys(db: Queryable, scopedQuery: ScopedDeviceQuery, limit: number) {
  const { id: lastId } = await findLastId.one(db);
  let last: Place = { company_code: '', serial: '' };
  for (;;) {
    const slice = await listKeys.all(db, {
      ...valuesOf(scopedQuery),
      afterCompany: last.company_code,
      afterSerial: last.serial,
      lastId,
      limit,
    });
    const end = slice.at(-1);
    if (!end) return;
    yield slice;
    last = end;
  }
}

const listSerials = statement({
  text: `SELECT serial FROM ${matchingDevices} ORDER BY serial LIMIT :most`,
  params: { ...filters, most: int8 },
  row: { serial: text },
});

/** Lists the serials of the first `most` devices that pass the filters. */
export async function listDeviceSerials(
  db: Queryable,
  scopedQuery: ScopedDeviceQuery,
  most: number,
): Promise<string[]> {
  return (await listSerials.all(db, { ...valuesOf(scopedQuery), most })).map(({ serial }) => serial);
}
