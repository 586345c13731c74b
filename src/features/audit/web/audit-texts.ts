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
  'proxies.upload': m.audit_proxies_upload,
  'proxies.delete': m.audit_proxies_delete,
  'source.pause': m.audit_source_pause,
  'source.resume': m.audit_source_resume,
  'source.try': m.audit_source_try,
  'registry.replace': m.audit_registry_replace,
};

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
        ? `${name}: ${before} → ${after}`
        : `${name}: ${after ?? before ?? '–'}`,
    )
    .join(', ');
}

const textOf = (value: unknown) => (value === undefined || value === null ? null : String(value));
