import { z } from 'zod';
import { companyFilter, fileFormat } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { pageOf, pagingQuery } from '#shared/paging.ts';
import { actionNames } from './audit-words.shared.ts';
import { maxObjectIdLength } from './object-id.shared.ts';

const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).nullable()).nullable();

const auditEntry = z
  .object({
    _id: z.string(),
    at: z.string(),
    actor: z
      .object({
        _id: z.string(),
        email: z.string(),
        name: z.string().nullable().describe('The present name; null when the user is gone'),
      })
      .nullable()
      .describe(
        'The user; null for a refused sign-in, a reset by link and the actions of the product itself',
      ),
    token: z
      .object({ _id: z.string(), name: z.string() })
      .nullable()
      .describe('The API token by which the user acted; null in a session'),
    address: z.string().nullable().describe('The IP address of the caller'),
    action: z
      .string()
      .describe(`${actionNames.map((name) => `\`${name}\``).join(', ')}, or an action of another release`),
    object_type: z.string().describe('The part of `action` in front of the dot'),
    object_id: z.string().nullable().describe('The `_id` or name of the object; the number of a ticket'),
    object_name: z
      .string()
      .nullable()
      .describe(
        "What people call the object: a client's name, a user's email address, an invoice's number (of a draft its month, as `YYYY-MM`), a webhook's host, else `object_id`",
      ),
    company_code: z.string().nullable(),
    company_name: z.string().nullable().describe('The present name; null when the client is gone'),
    before: values.describe('The fields that changed, as they were'),
    after: values.describe('The fields that changed, as they are, or the details of the action'),
  })
  .meta({ id: 'AuditEntry', description: 'An action, with the object before and after it' });

export type AuditEntry = z.infer<typeof auditEntry>;

/** A calendar day in APP_TIMEZONE, or an instant. */
const moment = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], 'server_audit_moment')
  .refine((text) => text > '1970' && !Number.isNaN(Date.parse(text)), 'server_audit_moment');

const auditQuery = z.object({
  actor: z.string().max(254).optional().describe("A user's `_id` or email address"),
  action: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'An action', examples: ['ticket.update'] }),
  object_type: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'A type of object', examples: ['ticket'] }),
  object_id: z
    .string()
    .max(maxObjectIdLength)
    .optional()
    .describe('The `_id` or name of an object, or the number of a ticket'),
  object_name: z
    .string()
    .max(254)
    .optional()
    .describe('What people call an object, as `object_name` says it'),
  company_code: companyFilter.optional(),
  from: moment.optional().describe('The first day (in APP_TIMEZONE) or instant, included'),
  to: moment.optional().describe('The last day (in APP_TIMEZONE) or instant, included'),
});

export type AuditQuery = z.infer<typeof auditQuery>;

export const listAudit = endpoint({
  route: 'GET /audit',
  access: 'admin',
  summary: 'List the audit log, newest first; company administrators see the entries of their own company',
  query: pagingQuery.extend(auditQuery.shape),
  heavy: () => true,
  readOnly: true,
  tagged: true,
  response: pageOf(auditEntry).meta({ id: 'AuditEntryPage' }),
});

export const downloadAudit = endpoint({
  route: 'GET /audit/download',
  access: 'admin',
  summary: 'Download the audit log, by the filters of the list',
  query: auditQuery.extend({ format: fileFormat }),
  response: 'file',
  failures: [429],
});
