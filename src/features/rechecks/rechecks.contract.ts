import { z } from 'zod';
import { deviceChanges } from '#features/devices/devices.contract.ts';
import { fieldValues } from '#features/devices/fields.contract.ts';
import { ticketStatuses } from '#features/tickets/ticket-status.shared.ts';
import { ticket } from '#features/tickets/tickets.contract.ts';
import { basedOnVersion, companyParams, fileFormat, ticketNumber } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { idempotencyKey } from '#shared/idempotency-key.ts';
import { pageOf, pagingQuery } from '#shared/paging.ts';

/** As many rows as an upload may have by default. */
const maxCap = 1_000_000;

const settings = {
  active: z.boolean().describe('Whether devices are checked again on a schedule'),
  cadence: z
    .enum(['monthly', 'quarterly'])
    .describe('On the first day of every month, or of January, April, July and October'),
  view_id: z
    .string()
    .regex(/^\d{1,15}$/, 'server_recheck_view_form')
    .nullable()
    .describe("The `_id` of a view of the company, whose devices are checked; null for all the company's"),
  cap: z.int().min(1).max(maxCap).describe('The most devices of one ticket; with more, none is made'),
};

const run = z
  .object({
    at: z.string().describe('The instant of its start'),
    due_on: z.string().nullable().describe('The day of the schedule; null for a run by hand'),
    ticket_number: z.string().nullable().describe('Its ticket; null where none was made'),
    status: z.enum(ticketStatuses).nullable().describe('The status of its ticket'),
    refusal: z
      .string()
      .nullable()
      .describe('Why no ticket was made: the `code` of a failure of a run by hand'),
    count: z.int().nullable().describe('The number of devices that were too many'),
  })
  .meta({ id: 'RecheckRun' });
export type RecheckRun = z.infer<typeof run>;

const recheck = z
  .object({
    ...settings,
    view_name: z.string().nullable().describe('The name of the view; null where the caller does not see it'),
    next_on: z.string().nullable().describe('The day of the next run; null while switched off'),
    count: z
      .int()
      .nullable()
      .describe('The number of devices that a run would check now; null where the view is gone'),
    runs: z
      .array(run)
      .describe('The latest 12 runs that made a ticket, or whose schedule made none; newest first'),
    version: z.int().describe('Grows with every change of the settings'),
  })
  .meta({ id: 'Recheck', description: "The schedule on which a company's devices are checked again" });
export type Recheck = z.infer<typeof recheck>;

const body = z.object({ ...settings, version: basedOnVersion }).meta({
  id: 'RecheckSettings',
  examples: [{ active: true, cadence: 'monthly', view_id: null, cap: 10_000 }],
});
export type RecheckSettings = z.infer<typeof body>;

export const getRecheck = endpoint({
  route: 'GET /rechecks/{company_code}',
  access: 'signed-in',
  summary: 'Read the schedule on which the devices of a company are checked again, and its latest runs',
  params: companyParams,
  heavy: () => true,
  response: recheck,
  failures: [404],
});

export const putRecheck = endpoint({
  route: 'PUT /rechecks/{company_code}',
  access: 'signed-in',
  summary: 'Replace the schedule on which the devices of a company are checked again',
  params: companyParams,
  body,
  heavy: () => true,
  response: recheck,
  failures: [404, 409],
});

export const runRecheck = endpoint({
  route: 'POST /rechecks/{company_code}/run',
  access: 'signed-in',
  summary: 'Check the devices again now: all of the schedule, except activated ones whose coverage has ended',
  params: companyParams,
  headers: idempotencyKey,
  body: z
    .object({
      count: z
        .int()
        .min(0)
        .optional()
        .describe('The number of devices that was confirmed; if it is another by now, the answer is 409'),
    })
    .nullish()
    .meta({ id: 'RecheckConfirmation', examples: [{ count: 2 }] }),
  heavy: () => true,
  status: 201,
  response: z.object({ message: z.string(), ticket }).meta({ id: 'RecheckTicket' }),
  failures: [404, 409, 422],
});

export const changeKinds = ['activated', 'extended', 'ended', 'not_found', 'other'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** The counts of a list of changes. */
export const changeCounts = <Kind extends string>(kinds: readonly Kind[]) =>
  z
    .object(Object.fromEntries(kinds.map((name) => [name, z.int()])) as Record<Kind, z.ZodInt>)
    .describe('The devices of each kind, regardless of `kind`');

const kind = z
  .enum(changeKinds)
  .describe(
    '`activated`: newly activated; `extended`: coverage ends later, or its end became known; `ended`: it has ended, or ' +
      'has no end any more; `not_found`: no source knows the device now; `other`: anything else. The first that applies',
  );

const changeQuery = z.object({
  ticket_number: ticketNumber
    .optional()
    .describe('The number of a ticket of the company; by default that of the latest run'),
  kind: kind.optional(),
});
export type ChangeQuery = z.infer<typeof changeQuery>;

const change = z
  .object({
    _id: z.string().describe('The `_id` of the device'),
    serial_number: z.string(),
    kind,
    changes: deviceChanges.describe('The fields that differ from the answer before; empty for `not_found`'),
    fields: fieldValues,
  })
  .meta({ id: 'RecheckChange' });
export type RecheckChange = z.infer<typeof change>;

export const listRecheckChanges = endpoint({
  route: 'GET /rechecks/{company_code}/changes',
  access: 'signed-in',
  summary: "List the known devices for which a ticket's answers differ from those before, by serial",
  params: companyParams,
  query: pagingQuery.extend(changeQuery.shape),
  heavy: () => true,
  response: pageOf(change)
    .extend({
      counts: changeCounts(changeKinds),
      ticket_number: z.string().nullable().describe('The ticket of the list; null before the first run'),
    })
    .meta({ id: 'RecheckChangePage' }),
  failures: [404],
});

export const downloadRecheckChanges = endpoint({
  route: 'GET /rechecks/{company_code}/changes/download',
  access: 'signed-in',
  summary: 'Download the changes of a ticket, filtered like the list',
  params: companyParams,
  query: changeQuery.extend({ format: fileFormat }),
  response: 'file',
  failures: [404, 429],
});
