import { z } from 'zod';
import { companyFilter, fileFormat, idParams, messageAnswer } from '#shared/answers.ts';
import { deviceFilters } from '#shared/device-filters.ts';
import { endpoint } from '#shared/endpoint.ts';
import { queryOf } from '#shared/filter-query.ts';
import { pageOf, pagingQuery } from '#shared/paging.ts';
import { fieldChanges, fieldFilter, fieldSort, fieldValues } from './fields.contract.ts';

/** Whether a deletion of data also forgets devices. */
export const forgetDevicesFlag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true')
  .meta({
    description: 'Also forgets the devices that no other ticket of the company had',
    examples: ['false'],
  });

const answerFields = {
  type: z.string().nullable(),
  activation_status: z.enum(['activated', 'unactivated']).nullable(),
  purchase_date: z.string().nullable(),
  warranty_title: z.string().nullable(),
  coverage_start_date: z.string().nullable(),
  coverage_end_date: z.string().nullable(),
};

const device = z
  .object({
    _id: z.string(),
    serial_number: z.string(),
    company_code: z.string(),
    ...answerFields,
    coverage_expires: z
      .string()
      .describe('"N/A", "Expired", "Expires today" or "N days", counted from today in APP_TIMEZONE'),
    source: z.string().nullable().describe('The source of the latest answer'),
    first_seen: z.string().describe('The instant of the first answer'),
    last_checked: z.string().describe('The instant of the latest answer'),
    changed_at: z
      .string()
      .nullable()
      .describe('The instant of the latest answer that differed from the one before'),
    fields: fieldValues,
  })
  .meta({
    id: 'Device',
    description: 'The latest answer about a device of a company; dates are calendar days',
  });
export type Device = z.infer<typeof device>;

/** In characters. A longer list does not fit into an address. */
const maxIdsLength = 12_000;

/** The filters and the order of the list. All filters apply together. */
export const deviceQuery = z.object({
  ...queryOf(deviceFilters),
  ids: z
    .string()
    .max(maxIdsLength)
    .regex(/^\d{1,15}(,\d{1,15})*$/, 'server_ids_form')
    .optional()
    .meta({ description: 'The devices with these `_id`', examples: ['7,12'] }),
  field: fieldFilter,
  sort: z
    .enum(['serial_number', 'type', 'coverage_end_date', 'last_checked'])
    .or(fieldSort)
    .default('serial_number')
    .describe(
      'The column to sort by, `field.KEY` for an own column; devices without a value come last, equal devices by serial',
    ),
  order: z.enum(['asc', 'desc']).default('asc').describe('The direction of `sort`'),
});
export type DeviceQuery = z.infer<typeof deviceQuery>;

const deviceCounts = z
  .object({
    all: z.int(),
    activated: z.int(),
    unactivated: z.int(),
    unknown: z.int().describe('Without an activation'),
    ending_30: z.int().describe('Coverage ends between today and 30 days from today'),
    expired: z.int().describe('Coverage ended before today'),
  })
  .meta({
    id: 'DeviceCounts',
    description: 'Counts of all devices that the caller sees, narrowed by `company_code` alone',
  });

export const listDevices = endpoint({
  route: 'GET /devices',
  access: 'signed-in',
  summary: 'List the devices of a company with their latest answers, filtered and sorted',
  query: pagingQuery.extend({
    ...deviceQuery.shape,
    counts: z.enum(['0', '1']).default('0').describe('1 adds `counts` to the answer'),
  }),
  heavy: () => true,
  readOnly: true,
  response: pageOf(device).extend({ counts: deviceCounts.optional() }).meta({ id: 'DevicePage' }),
});

const value = z.object({ value: z.string(), count: z.int() });

export const readDeviceFigures = endpoint({
  route: 'GET /devices/figures',
  access: 'signed-in',
  summary:
    'Count the devices behind each choice of the filters of `GET /devices`, regardless of other filters',
  query: z.object({
    company_code: companyFilter.optional(),
    values: z.enum(['0', '1']).default('0').describe('1 adds `types`, `warranties` and `sources`'),
  }),
  heavy: () => true,
  readOnly: true,
  response: deviceCounts
    .extend({
      ending_60: z.int(),
      ending_90: z.int(),
      ending_180: z.int(),
      covered: z.int().describe('Coverage ends today or later'),
      never_covered: z.int().describe('No end of coverage is known'),
      ending_months: z
        .array(
          z.object({
            from: z.string().describe('The first day counted'),
            to: z.string().describe('The last day of the month'),
            devices: z.int(),
          }),
        )
        .describe('Devices whose coverage ends in each of 24 months, this month first and from today'),
      changed_7: z.int().describe('Changed on `since_7` or later'),
      changed_30: z.int().describe('Changed on `since_30` or later'),
      since_7: z.string().describe('The day 7 days before today'),
      since_30: z.string().describe('The day 30 days before today'),
      types: z.array(value).optional().describe('The 100 most common types'),
      warranties: z.array(value).optional().describe('The 100 most common warranty titles'),
      sources: z.array(value).optional().describe('The 100 most common sources of the latest answer'),
    })
    .meta({ id: 'DeviceFigures', description: 'Counts of the devices behind each choice of a filter' }),
});

const change = z.tuple([z.string().nullable(), z.string().nullable()]).describe('The value before and after');

/** The fields in which two answers about a device differ. */
export const deviceChanges = z.partialRecord(
  z.enum(Object.keys(answerFields) as (keyof typeof answerFields)[]),
  change,
);
export type DeviceChanges = z.infer<typeof deviceChanges>;

export const getDevice = endpoint({
  route: 'GET /devices/{id}',
  access: 'signed-in',
  summary: 'Read a device, its history and its tickets',
  params: idParams,
  response: z
    .object({
      device,
      history: z
        .array(
          z.object({
            at: z.string().describe('The instant of the answer or change'),
            source: z.string().nullable().describe('Null for a change of own columns, too'),
            ticket_number: z
              .string()
              .nullable()
              .describe(
                'The ticket of the answer, or whose sheet had other values; null for a change by a user',
              ),
            by: z
              .object({ _id: z.string(), email: z.string() })
              .optional()
              .describe(
                'The user who changed own columns, unless it is a superadmin of whom users are not told',
              ),
            changes: z
              .record(z.string(), change)
              .describe('The fields that differ from those before; own columns as `field.KEY`'),
          }),
        )
        .describe(
          'The first answer, each that differs from the one before, and each change of own columns; oldest first',
        ),
      tickets: z.array(z.string()).describe('The numbers of the tickets that had the device'),
    })
    .meta({ id: 'DeviceDetails' }),
  failures: [404],
});

export const updateDevice = endpoint({
  route: 'PATCH /devices/{id}',
  access: 'signed-in',
  summary: 'Change the values of own columns of a device',
  params: idParams,
  body: z
    .object({ fields: fieldChanges })
    .meta({ id: 'DeviceFields', examples: [{ fields: { employee: 'Siti Rahma', site: null } }] }),
  response: z.object({ device }).meta({ id: 'ChangedDevice' }),
  failures: [404],
});

const filteredDevices = {
  filter: z
    .string()
    .max(maxIdsLength + 1000)
    .describe(
      "The list's query string; empty for all devices that the caller sees. Unknown and repeated parameters are refused",
    ),
  count: z.int().min(0).describe('The number of these devices; 409 if it is another'),
};

export const updateDevices = endpoint({
  route: 'POST /devices/fields',
  access: 'signed-in',
  summary: 'Change the values of own columns of the devices that pass a filter, which are of one company',
  body: z.object({ ...filteredDevices, fields: fieldChanges }).meta({
    id: 'FieldsOfDevices',
    examples: [{ filter: 'field.site=Jakarta', count: 12, fields: { site: 'Bandung' } }],
  }),
  heavy: () => true,
  response: messageAnswer,
  failures: [409],
});

export const forgetDevice = endpoint({
  route: 'DELETE /devices/{id}',
  access: 'signed-in',
  summary: 'Forget a device: its latest answer and its history',
  params: idParams,
  response: messageAnswer,
  failures: [404],
});

export const forgetDevices = endpoint({
  route: 'POST /devices/forget',
  access: 'signed-in',
  summary: 'Forget the devices that pass a filter',
  body: z
    .object(filteredDevices)
    .meta({ id: 'ForgottenDevices', examples: [{ filter: 'expired=true', count: 12 }] }),
  heavy: () => true,
  response: messageAnswer,
  failures: [409],
});

export const downloadDevices = endpoint({
  route: 'GET /devices/download',
  access: 'signed-in',
  summary:
    'Download devices, filtered and sorted like the list. A workbook has own columns where it is of one company: the caller’s, ' +
    '`company_code`, or that of `ticket_number` or `ids`',
  query: deviceQuery.extend({ format: fileFormat }),
  response: 'file',
  failures: [429],
});
