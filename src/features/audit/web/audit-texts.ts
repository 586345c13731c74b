import { m } from '#shared/texts/messages.js';
import { formatInstant, formatNumber } from '#web/format/format.ts';
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
  'user.update': m.audit_user_update,
  'user.sign-out': m.audit_user_sign_out,
  'user.reset-link': m.audit_user_reset_link,
  'user.invite': m.audit_user_invite,
  'user.invite-again': m.audit_user_invite_again,
  'user.invite-withdrawn': m.audit_user_invite_withdrawn,
  'user.invite-accepted': m.audit_user_invite_accepted,
  'token.create': m.audit_token_create,
  'token.delete': m.audit_token_delete,
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
  'devices.forget': m.audit_devices_forget,
  'watch.update': m.audit_watch_update,
  'watch.renew': m.audit_watch_renew,
  'watch.unsubscribe': m.audit_watch_unsubscribe,
  'devices.export': m.audit_devices_export,
  'view.create': m.audit_view_create,
  'view.update': m.audit_view_update,
  'view.delete': m.audit_view_delete,
};

/** The names of recorded fields, as forms and tables call them. Others are shown as they are. */
const fields: Readonly<Record<string, () => string>> = {
  ticket_number: m.data_ticket_number,
  company_code: m.audit_company,
  company_name: m.clients_company_name,
  bill_known: m.clients_bill_known,
  status: m.tickets_status,
  state: m.tickets_status,
  data_count: m.tickets_data_count,
  total: m.data_tracker_total_rows,
  done: m.data_tracker_completed,
  failed: m.data_failed,
  price: m.tickets_price_per_data,
  current_dollar_price: m.tickets_dollar_price,
  discount: m.tickets_discount,
  file_name: m.data_import_file,
  serial_deleted: m.audit_data_delete,
  coverage_deleted: m.audit_results_delete,
  imported_count: m.data_import_imported,
  invalid_count: m.data_import_invalid_label,
  duplicate_count: m.data_import_duplicates_label,
  known_count: m.data_import_known_label,
  fresh_days: m.audit_fresh_days,
  rejected_count: m.audit_rejected,
  format: m.data_download_format,
  report: m.audit_report,
  rows: m.tickets_rows,
  complete: m.audit_complete,
  name: m.account_register_name,
  first_name: m.account_first_name,
  last_name: m.account_last_name,
  email: m.account_register_email,
  role: m.account_register_role,
  scope: m.audit_scope,
  expires_at: m.audit_expires,
  active: m.account_active,
  superadmin: m.common_role_superadmin,
  new_user: m.audit_new_user,
  known_account: m.audit_known_account,
  by: m.audit_by,
  proxy_set: m.proxies_proxy_set,
  proxy_sets: m.proxies_total_sets,
  proxies_count: m.proxies_count,
  expire_date: m.proxies_expires,
  devices: m.home_count,
  uploaded_at: m.audit_uploaded_at,
  paused: m.audit_paused,
  outcome: m.sources_try_outcome,
  serial: m.data_serial_number,
  type: m.data_type,
  warranty: m.data_warranty,
};

const yesNo = { 0: m.audit_no, 1: m.audit_yes };

/** The words for values that are recorded as marks, by field. */
const marks: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  status: {
    0: m.clients_inactive,
    1: m.clients_active,
    Pending: m.tickets_status_pending,
    Processing: m.tickets_status_processing,
    Completed: m.tickets_status_completed,
    Cancelled: m.tickets_status_cancelled,
  },
  state: {
    up: m.sources_state_up,
    throttled: m.sources_state_throttled,
    waiting: m.sources_state_waiting,
    off: m.sources_state_off,
  },
  role: {
    superadmin: m.common_role_superadmin,
    'company-admin': m.common_role_company_admin,
    user: m.common_role_user,
  },
  superadmin: yesNo,
  new_user: yesNo,
};

/** A field as people know it. */
export const nameField = (name: string) => (Object.hasOwn(fields, name) && fields[name]?.()) || name;

/** An object as people know it: a ticket by its number, others by their name. */
export function nameObject({ object_type: type, object_id: id, object_name: name }: AuditEntry): string {
  const isTicket = type === 'ticket' || type === 'data' || type === 'results';
  return isTicket && id !== null ? m.tickets_number({ number: id }) : (name ?? '–');
}

/** A user with name and email address; the address alone once the user is gone. */
export function nameActor({ actor }: AuditEntry): string {
  if (actor === null) return '–';
  return actor.name === null ? actor.email : `${actor.name} (${actor.email})`;
}

export const describeAction = (action: AuditEntry['action']) => actions[action]();

/** Every action. */
export const actionNames = Object.keys(actions);

/** Every action with its name, for a filter. */
export const listActions = () => Object.entries(actions).map(([value, label]) => ({ value, label: label() }));

/** The fields that an entry tells, each before and after; null where it had none. */
export function listChanges({ before, after }: AuditEntry) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .map((name) => ({ name, before: textOf(name, before?.[name]), after: textOf(name, after?.[name]) }))
    .filter((change) => change.before !== change.after);
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

function textOf(name: string, value: string | number | boolean | null | undefined): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? m.audit_yes() : m.audit_no();
  if (typeof value === 'number') return formatNumber(value);
  const mark = marks[name]?.[value];
  if (mark !== undefined) return mark();
  return /^\d{4}-\d{2}-\d{2}T/.test(value) ? formatInstant(value) : value;
}
