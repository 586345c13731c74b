import { m } from '#shared/texts/messages.js';
import type { AuditEntry } from './audit.api.ts';

/** What each action is called on screen, in the order of the filter. */
const actions: Record<AuditEntry['action'], () => string> = {
  'ticket.create': m.audit_ticket_create,
  'ticket.update': m.audit_ticket_update,
  'ticket.cancel': m.audit_ticket_cancel,
  'ticket.retry': m.audit_ticket_retry,
  'ticket.delete': m.audit_ticket_delete,
  'data.upload': m.audit_data_upload,
  'data.delete': m.audit_data_delete,
  'results.delete': m.audit_results_delete,
  'results.export': m.audit_results_export,
  'client.create': m.audit_client_create,
  'client.update': m.audit_client_update,
  'client.status': m.audit_client_status,
  'client.delete': m.audit_client_delete,
  'user.sign-in': m.audit_user_sign_in,
  'user.sign-in-refused': m.audit_user_sign_in_refused,
  'user.register': m.audit_user_register,
  'user.password': m.audit_user_password,
  'user.password-refused': m.audit_user_password_refused,
  'proxies.upload': m.audit_proxies_upload,
  'proxies.delete': m.audit_proxies_delete,
  'proxies.read': m.audit_proxies_read,
  'source.pause': m.audit_source_pause,
  'source.resume': m.audit_source_resume,
  'source.try': m.audit_source_try,
  'registry.replace': m.audit_registry_replace,
  'audit.export': m.audit_export,
};

/** What forms and tables call the fields that entries tell; a field without a name is told as it is. */
const fields: Readonly<Record<string, () => string>> = {
  ticket_number: m.data_ticket_number,
  company_code: m.audit_company,
  company_name: m.clients_company_name,
  status: m.tickets_status,
  state: m.tickets_status,
  data_count: m.tickets_data_count,
  total: m.data_tracker_total_rows,
  done: m.data_tracker_completed,
  failed: m.data_failed,
  current_dollar_price: m.tickets_dollar_price,
  discount: m.tickets_discount,
  file_name: m.data_import_file,
  invalid_count: m.data_import_invalid_label,
  duplicate_count: m.data_import_duplicates_label,
  name: m.account_register_name,
  email: m.account_register_email,
  proxies_count: m.proxies_count,
  expire_date: m.proxies_expires,
  devices: m.home_count,
  serial: m.data_serial_number,
  type: m.data_type,
  warranty: m.data_warranty,
};

/** A field as people know it. */
export const nameField = (name: string) => (Object.hasOwn(fields, name) && fields[name]?.()) || name;

export const describeAction = (action: AuditEntry['action']) => actions[action]();

/** Every action with its name, for a filter. */
export const listActions = () => Object.entries(actions).map(([value, label]) => ({ value, label: label() }));

/** The fields that an entry tells, each before and after; null where it had none. */
export function listChanges({ before, after }: AuditEntry) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .map((name) => ({ name, before: textOf(before?.[name]), after: textOf(after?.[name]) }))
    .filter((change) => before === null || after === null || change.before !== change.after);
}

/** The changes in one line. */
export function summarizeChanges(entry: AuditEntry): string {
  return listChanges(entry)
    .map(({ name, before, after }) =>
      before !== null && after !== null
        ? `${nameField(name)}: ${before} → ${after}`
        : `${nameField(name)}: ${after ?? before ?? '–'}`,
    )
    .join(', ');
}

const textOf = (value: unknown) => (value === undefined || value === null ? null : String(value));
