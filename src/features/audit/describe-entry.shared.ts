import { ownValue } from '#shared/own-value.ts';
import { formatRupiah } from '#shared/rupiah.ts';
import { m } from '#shared/texts/messages.js';
import { filters, marks, nameField } from './audit-words.shared.ts';

type Value = string | number | boolean | null;
type Values = Readonly<Record<string, Value>> | null;
/** An entry as far as words need it. */
type Entry = {
  actor: { email: string; name: string | null } | null;
  object_type: string;
  object_id: string | null;
  object_name: string | null;
  company_code: string | null;
  company_name: string | null;
  before: Values;
  after: Values;
};
/** How numbers, prices in dollars, days (YYYY-MM-DD), months (YYYY-MM) and instants (ISO) are written; a text that is none, as it is. */
export type Formats = {
  formatNumber(value: number): string;
  formatDollars(value: number): string;
  formatDay(day: string): string;
  formatMonth(month: string): string;
  /** The month as names of tickets write it. */
  formatLongMonth(month: string): string;
  formatInstant(instant: string): string;
};

const monthPattern = /^\d{4}-\d{2}$/;

/** An object as people know it: a ticket by its file and number, devices by what selected them, others by their name. */
export function nameObject(entry: Entry, formats: Formats): string {
  const { object_type: type, object_id: id, object_name, before, after } = entry;
  const name = object_name ?? '–';
  switch (type) {
    case 'ticket':
    case 'data':
    case 'results': {
      if (id === null) return name;
      const ticket = nameTicket(after ?? before, formats);
      return ticket === null ? m.tickets_number({ number: id }) : `${ticket} #${id}`;
    }
    case 'devices': {
      const { serial } = before ?? after ?? {};
      if (typeof serial === 'string') return serial;
      return id === null ? name : id === 'all' ? m.results_all() : describeQuery(id, formats);
    }
    case 'invoice':
      return monthPattern.test(name) ? m.audit_draft({ month: formats.formatMonth(name) }) : name;
    case 'seller':
      return m.invoices_seller();
    case 'reminders':
      return m.invoices_reminders();
    case 'view':
    case 'token':
      return String((after ?? before)?.name ?? name);
    default:
      return name;
  }
}

/** The file of a recheck, which the product names itself. */
const recheckFile = /^recheck_[^.]+_(\d{4}-\d{2})-\d{2}$/;

/** A ticket by its file, or by how its rows came; null for entries of older releases that do not tell. */
function nameTicket(values: Values, { formatLongMonth, formatNumber }: Formats): string | null {
  const { file_name: file, import_kind: kind, data_count: ordered, total, imported_count } = values ?? {};
  if (typeof file === 'string') {
    const month = recheckFile.exec(file)?.[1];
    return month === undefined ? file : m.tickets_named_recheck({ month: formatLongMonth(month) });
  }
  // An order has no rows before its upload.
  if (kind === 'order') return m.tickets_named_order({ number: formatNumber(Number(ordered ?? total)) });
  const count = Number(total ?? imported_count);
  return kind === 'paste' ? m.tickets_named_paste({ count, number: formatNumber(count) }) : null;
}

/** A client as "CODE (Name)"; the code alone once the client is gone. */
export function nameCompany({ company_code: code, company_name: name }: Entry): string {
  if (code === null) return '–';
  return name === null ? code : `${code} (${name})`;
}

/** A user with name and email address; the address alone once the user is gone. */
export function nameActor({ actor }: Entry): string {
  if (actor === null) return '–';
  return actor.name === null ? actor.email : `${actor.name} (${actor.email})`;
}

/** A user as `nameActor` says it, with the API token by which the user acted. */
export function nameActorAndToken(entry: Entry & { token: { name: string } | null }): string {
  const actor = nameActor(entry);
  return entry.token === null ? actor : m.audit_by_token({ actor, token: entry.token.name });
}

/**
 * Internal ids, which mean nothing to people, and the kind of a ticket, which its name tells. The id of a view is shown only
 * in entries of older releases, which have no `view_name`.
 */
const hidden = ['_id', 'delivery', 'import_kind'];

/** Returns the fields of an entry that people read, each before and after; null for a missing value. */
export function listChanges({ object_type, before, after }: Entry, formats: Formats) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .filter((name) => !hidden.includes(name) && !(name === 'view_id' && names.includes('view_name')))
    .map((name) => {
      // The total of an invoice is an amount, that of any other object a number of rows.
      const field = name === 'total' && object_type === 'invoice' ? 'invoice_total' : name;
      return {
        name: field,
        before: textOf(field, ownValue(before ?? {}, name), formats),
        after: textOf(field, ownValue(after ?? {}, name), formats),
      };
    })
    .filter((change) => change.before !== change.after);
}

/** The changes in one line. */
export function summarizeChanges(entry: Entry, formats: Formats): string {
  return listChanges(entry, formats)
    .map(({ name, before, after }) =>
      before !== null && after !== null
        ? `${nameField(name)}: ${before} → ${after}`
        : `${nameField(name)}: ${after ?? before ?? '–'}`,
    )
    .join(', ');
}

/** The filters of a list's query string in words. */
const describeQuery = (query: string, formats: Formats) =>
  [...new URLSearchParams(query)]
    .map(([name, value]) => `${nameField(name)}: ${textOf(name, value, formats)}`)
    .join(', ');

/** Fields in rupiah. */
const amounts = ['monthly_rupiah', 'invoice_total'];

/** Fields with days or instants. The text of another field, such as a file's name, may only look like one. */
const times = ['due_at', 'paid_at', 'expires_at', 'expire_date', 'uploaded_at', 'from', 'to'];

/** Fields with the view of a schedule, which applies to all devices without one. */
const views = ['view_name', 'view_id'];

/** A recorded value as people know it; null for none. */
export function textOf(name: string, value: Value | undefined, formats: Formats): string | null {
  if (value === null && views.includes(name)) return m.rechecks_all_devices();
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? m.audit_yes() : m.audit_no();
  if (typeof value === 'number')
    return amounts.includes(name) ? formatRupiah(value) : formats.formatNumber(value);
  // Recorded with the six decimals of the column.
  if (name === 'price') return formats.formatDollars(Number(value));
  const mark = ownValue(ownValue(marks, name) ?? {}, value);
  if (mark !== undefined) return mark();
  if (name === 'query') return describeQuery(value, formats);
  if (name === 'events')
    return value
      .split(', ')
      .map((event) => textOf('event', event, formats))
      .join(', ');
  if (name === 'month' && monthPattern.test(value)) return formats.formatMonth(value);
  if (!times.includes(name) && ownValue(filters, name)?.kind !== 'day') return value;
  return value.includes('T') ? formats.formatInstant(value) : formats.formatDay(value);
}
