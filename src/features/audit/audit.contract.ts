import { z } from 'zod';
import { endpoint } from '#shared/endpoint.ts';
import { pageOf, pagingQuery } from '#shared/paging.ts';

/** Everything that is recorded, as `object.verb`. */
const auditActions = [
  'ticket.create',
  'ticket.update',
  'ticket.cancel',
  'ticket.retry',
  'ticket.delete',
  'client.create',
  'client.update',
  'client.status',
  'client.delete',
  'user.register',
  'user.password',
  'user.password-refused',
  'user.sign-in',
  'user.sign-in-refused',
  'proxies.upload',
  'proxies.delete',
  'proxies.read',
  'source.pause',
  'source.resume',
  'source.try',
  'registry.replace',
  'data.upload',
  'data.delete',
  'results.delete',
  'results.export',
  'audit.export',
] as const;

export type AuditAction = (typeof auditActions)[number];

const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).nullable()).nullable();

const auditEntry = z.object({
  _id: z.string(),
  at: z.string(),
  actor: z.object({ _id: z.string(), email: z.string() }).nullable(),
  address: z.string().nullable(),
  action: z.enum(auditActions),
  object_type: z.string(),
  object_id: z.string().nullable(),
  company_code: z.string().nullable(),
  before: values,
  after: values,
});

export type AuditEntry = z.infer<typeof auditEntry>;

/** A calendar day in APP_TIMEZONE, or an instant. */
const moment = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], 'server_audit_moment')
  .refine((text) => text > '1970' && !Number.isNaN(Date.parse(text)), 'server_audit_moment');

const auditFilter = z.object({
  /** A user's id or email address. */
  actor: z.string().max(254).optional(),
  action: z.string().max(100).optional(),
  object_type: z.string().max(100).optional(),
  object_id: z.string().max(254).optional(),
  company_code: z.string().max(20).optional(),
  from: moment.optional(),
  to: moment.optional(),
});

export type AuditFilter = z.infer<typeof auditFilter>;

export const listAudit = endpoint({
  method: 'GET',
  path: '/audit',
  access: 'superadmin',
  summary: 'List what was done, newest first; both days, or instants, of a range are included',
  query: pagingQuery.extend(auditFilter.shape),
  heavy: () => true,
  response: pageOf(auditEntry),
});

export const downloadAudit = endpoint({
  method: 'GET',
  path: '/audit/download',
  access: 'superadmin',
  summary: 'Download what was done, by the filters of the list',
  query: auditFilter.extend({ format: z.enum(['excel', 'json']).default('excel') }),
  response: 'file',
});
