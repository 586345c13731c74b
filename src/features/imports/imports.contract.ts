import { z } from 'zod';
import { budgetWarning } from '#features/clients/budgets.contract.ts';
import { forgetDevicesFlag } from '#features/devices/devices.contract.ts';
import { maxFields } from '#features/devices/fields.shared.ts';
import { ticket, ticketExample } from '#features/tickets/tickets.contract.ts';
import { boundedRecord, messageAnswer, ticketNumber, wholeNumber } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { idempotencyKey } from '#shared/idempotency-key.ts';
import { pageOf, pagingQuery } from '#shared/paging.ts';

const ticketParams = z.object({ ticket: ticketNumber });

const importedCount = z.int().describe('Rows of the ticket, including invalid cells');
const invalidCount = z.int().describe('Cells without an identifier, which are rows that failed');
const duplicateCount = z.int().describe('Serials left out, since the sheet has them before');
const knownCount = z.int().describe('Rows answered from the device register instead of being looked up');
const headerSkipped = z.boolean().describe('Whether the first cell was a header');

const importAnswer = z
  .object({
    message: z.string(),
    imported_count: importedCount,
    invalid_count: invalidCount,
    duplicate_count: duplicateCount,
    known_count: knownCount,
    header_skipped: headerSkipped,
    duplicates: z
      .array(z.object({ row: z.int(), serial: z.string(), first_row: z.int() }))
      .describe('The first 100; the report has all'),
    invalid: z
      .array(z.object({ row: z.int(), value: z.string(), reason: z.string() }))
      .describe('The first 100; the report has all'),
    ticket,
    budget_warning: budgetWarning.optional(),
  })
  .meta({
    id: 'ImportAnswer',
    examples: [
      {
        message: 'Successfully imported 2 records. Ticket: 12',
        imported_count: 2,
        invalid_count: 1,
        duplicate_count: 0,
        known_count: 0,
        header_skipped: true,
        duplicates: [],
        invalid: [{ row: 3, value: 'unknown', reason: 'Not an IMEI, MEID or serial number' }],
        ticket: ticketExample,
      },
    ],
  });
export type ImportAnswer = z.infer<typeof importAnswer>;

/** The longest text of a cell. */
const maxCellLength = 32_767;

/** A text, alone or with values of own columns. */
export type CellText = string | { serial: string; fields?: Record<string, string> | undefined };

const cellText = z.string().max(maxCellLength);
const cellWithFields = z.strictObject({
  serial: cellText,
  fields: boundedRecord(z.string(), cellText, maxFields).optional(),
});

/** Returns what is wrong with an entry of a list, and where in it; undefined for nothing. */
function findIssue(entry: unknown): z.core.$ZodIssue | undefined {
  const form = typeof entry === 'object' && entry !== null ? cellWithFields : cellText;
  const [issue] = form.safeParse(entry).error?.issues ?? [];
  return issue?.code === 'unrecognized_keys' ? { ...issue, path: issue.keys.slice(0, 1) } : issue;
}

/**
 * Texts of cells, alone or with values of own columns. Only the first invalid entry is reported: a list may have millions,
 * and an issue for each would take all memory.
 */
const cellTexts = z
  .array(z.unknown())
  .check(({ value, issues }) => {
    for (const [at, entry] of value.entries()) {
      const issue = findIssue(entry);
      if (issue) {
        issues.push({ ...issue, input: entry, path: [at, ...issue.path] } as z.core.$ZodRawIssue);
        return;
      }
    }
  })
  .meta({
    items: {
      anyOf: [
        { type: 'string', maxLength: maxCellLength },
        {
          type: 'object',
          required: ['serial'],
          properties: {
            serial: { type: 'string', maxLength: maxCellLength },
            fields: {
              type: 'object',
              maxProperties: maxFields,
              description: 'Values of own columns by key; an empty text leaves a value as it is',
              additionalProperties: { type: 'string', maxLength: maxCellLength },
            },
          },
        },
      ],
    },
  }) as unknown as z.ZodType<CellText[]>;

const serialList = cellTexts.describe(
  'Each text is read as a cell of a sheet would be; an object has the text and values of own columns',
);
const maxListBytes = 16 * 1024 * 1024;

const sheetChoice = {
  sheet: z.string().optional().describe('The name of a visible worksheet; by default the first'),
  column: z
    .string()
    .optional()
    .describe(
      'The letter of the column with the serials; by default A, or that of an exported results sheet',
    ),
};

const fieldsForm = z
  .string()
  .optional()
  .describe(
    'The own columns that columns of the sheet fill, as a JSON object: `{"B": "employee"}`; `{}` for none. Without it, ' +
      'columns whose heads equal a name fill it, and others what they filled in the last sheet with the same heads. ' +
      'Values are cut to 200 characters, and empty cells leave a value as it is',
  );

const freshDays = wholeNumber(1)
  .optional()
  .describe(
    "Takes answers from the company's device register that are younger than so many days; by default all rows are looked up",
  );

export const uploadSheet = endpoint({
  route: 'POST /data/upload',
  access: 'standard',
  summary: 'Import a column of an Excel sheet as a ticket',
  file: 'excel',
  form: z.object({
    excel: z.file().describe('An .xlsx or .xls file of at most MAX_UPLOAD_MB megabytes'),
    ticket_number: ticketNumber
      .optional()
      .describe('The number of an empty Pending order to fill; by default a new ticket is made'),
    ...sheetChoice,
    fresh_days: freshDays,
    fields: fieldsForm,
    corrections: z
      .string()
      .optional()
      .describe(
        'Texts in place of invalid cells of the column, as a JSON object: `{"A17": "356303489012342"}`. At most 100 cells ' +
          'of 200 characters each, read as any cell. Naming another cell is 400',
      ),
  }),
  headers: idempotencyKey,
  status: 201,
  response: importAnswer,
  failures: [404, 409, 422, 429],
});

export const importSerials = endpoint({
  route: 'POST /data/serials',
  access: 'standard',
  summary: 'Import a list of serials as a ticket',
  headers: idempotencyKey,
  maxBodyBytes: maxListBytes,
  body: z
    .object({
      serials: serialList,
      ticket_number: ticketNumber
        .optional()
        .describe('The number of an empty Pending order to fill; by default a new ticket is made'),
      name: z.string().max(255).optional().describe("The ticket's file name; by default none"),
      fresh_days: freshDays,
      ask_again: z
        .boolean()
        .optional()
        .describe('Whether answers that sources gave before this import are not reused; by default they are'),
    })
    .meta({
      id: 'SerialList',
      examples: [{ serials: ['356303489012342', 'C02ABCD1'], name: 'Warehouse' }],
    }),
  status: 201,
  response: importAnswer,
  failures: [404, 409, 422, 429],
});

const sheetPreview = z
  .object({
    sheet: z.string().describe('The worksheet that was read; empty for a list, as are columns'),
    sheets: z.array(z.string()).describe('All visible worksheets'),
    suggested_sheet: z
      .string()
      .nullable()
      .describe('Another worksheet, where the one that was read has no serial and this one does'),
    column: z
      .string()
      .describe('The column that was read: A where it holds serials, else the first that does'),
    default_column: z
      .string()
      .describe('The column that an upload reads if none is chosen: A, or that of an exported results sheet'),
    suggested_column: z
      .string()
      .nullable()
      .describe('Another column whose first rows have more IMEIs with a correct check digit'),
    columns: z
      .array(
        z.object({
          column: z.string(),
          head: z.string().describe('The text of its first cell'),
          serials: z
            .int()
            .describe('Cells with a serial among the first 2,000 rows; among all if A has none there'),
          imeis: z.int().describe('Those of these cells that are an IMEI with a correct check digit'),
        }),
      )
      .describe(
        'Columns among the first 64 that have a value in these rows. If none of them has a serial, up to 64 later ' +
          'columns with serials are added.',
      ),
    rows: z.int().describe('Valid, invalid and duplicate serials together'),
    valid_count: z.int(),
    invalid_count: invalidCount,
    duplicate_count: duplicateCount,
    header_skipped: headerSkipped,
    heads: z
      .record(z.string(), z.string())
      .describe(
        'The texts of the header row, at most 1,000, by column; without that of the serials. Empty without a header row',
      ),
    fields: z
      .record(z.string(), z.string())
      .describe('The own columns that an upload would fill, by the column of the sheet'),
    known_count: z
      .int()
      .describe('Valid serials that the device register has, with an answer that `fresh_days` can take'),
    known_ages: z
      .array(
        z.object({
          days: z.int().describe('Whole days since the last check; 3650 also stands for more'),
          count: z.int(),
        }),
      )
      .describe(
        'How many of them were last checked how long ago, youngest first: `fresh_days` takes those of fewer days',
      ),
    seen: z
      .object({
        ticket_number: z.string(),
        at: z.string().describe('The instant of its import'),
        by: z
          .object({ name: z.string(), email: z.string() })
          .nullable()
          .describe('The user who sent its rows; null for a schedule and for a superadmin'),
      })
      .nullable()
      .describe(
        "The company's newest ticket of the last 30 days with the same valid serials, or with these and corrections of invalid cells; none whose data was deleted",
      ),
    price_total: z.number().describe('The price of all valid rows in rupiah, before the discount'),
    price_per_data: z.number().describe('The price of one row in rupiah'),
    discount: z.int().describe('The discount of a new ticket in percent'),
    exceeds_budget: z
      .boolean()
      .describe(
        "Whether that is more than is left of the company's budget: such an upload is refused (409) unless a superadmin raises it",
      ),
    estimate_seconds: z
      .int()
      .nullable()
      .describe(
        'Estimated seconds until all valid rows have a result, by the pace of recent tickets; null without any',
      ),
    seconds_per_row: z
      .number()
      .nullable()
      .describe('The part of the estimate for each valid row that is looked up; null without an estimate'),
    invalid: z
      .array(z.object({ row: z.int(), value: z.string(), reason: z.string() }))
      .describe('The first 100'),
  })
  .meta({ id: 'SheetPreview' });
export type SheetPreview = z.infer<typeof sheetPreview>;

export const previewSheet = endpoint({
  route: 'POST /data/preview',
  access: 'standard',
  changesNothing: true,
  summary: 'Read an Excel sheet as an upload would, and store nothing',
  file: 'excel',
  form: z.object({
    excel: z.file().describe('An .xlsx or .xls file of at most MAX_UPLOAD_MB megabytes'),
    ...sheetChoice,
    fields: fieldsForm,
  }),
  response: sheetPreview,
  failures: [422, 429],
});

export const previewSerials = endpoint({
  route: 'POST /data/serials/preview',
  access: 'standard',
  changesNothing: true,
  summary: 'Read a list of serials as an import would, and store nothing',
  maxBodyBytes: maxListBytes,
  body: z.object({ serials: serialList }).meta({ id: 'PreviewedSerialList' }),
  response: sheetPreview,
  failures: [422, 429],
});

export const getUpload = endpoint({
  route: 'GET /data/upload/{key}',
  access: 'standard',
  summary: 'Read the progress of an upload under an Idempotency-Key',
  params: z.object({ key: z.string().min(1).max(200).describe('The Idempotency-Key of the upload') }),
  tagged: true,
  response: z
    .object({
      phase: z
        .enum(['receiving', 'reading', 'saving', 'done', 'failed'])
        .describe('`receiving` and `reading` the file, `saving` its rows, then `done` or `failed`'),
      rows: z.int().describe('Rows read so far'),
    })
    .meta({ id: 'UploadProgress' }),
  failures: [404],
});

const uploadedRow = z
  .object({
    _id: z.string(),
    ticket_number: z.string(),
    serial: z.string(),
    date: z.string().describe('The instant of the import'),
    row: z.int().describe('The row of the sheet, counted from 1'),
  })
  .meta({ id: 'UploadedRow' });

export const listUploadedRows = endpoint({
  route: 'GET /data/{ticket}',
  access: 'signed-in',
  summary: 'List the uploaded rows of a ticket, in the order of the sheet',
  params: ticketParams,
  query: pagingQuery,
  response: pageOf(uploadedRow).extend({ ticket_number: z.string() }).meta({ id: 'UploadedRowPage' }),
  failures: [404],
});

export const deleteUploadedRows = endpoint({
  route: 'DELETE /data/{ticket}',
  access: 'signed-in',
  summary: 'Delete the uploaded rows of a ticket; cancels it when it was not yet Completed',
  params: ticketParams,
  query: z.object({ forget_devices: forgetDevicesFlag }),
  response: messageAnswer,
  failures: [404],
});

const importSummary = z
  .object({
    imported_count: importedCount,
    valid_count: z.int().describe('Rows with a serial, known ones included'),
    invalid_count: invalidCount,
    duplicate_count: duplicateCount,
    known_count: knownCount,
    file_name: z.string().nullable(),
    header_skipped: headerSkipped,
    imported_at: z.string(),
  })
  .meta({ id: 'ImportSummary' });

export type ImportSummary = z.infer<typeof importSummary>;

export const getImport = endpoint({
  route: 'GET /data/{ticket}/import',
  access: 'signed-in',
  summary: 'Read the counts of an import, also after its rows were deleted; 404 for an order without rows',
  params: ticketParams,
  response: importSummary,
  failures: [404],
});

export const downloadReport = endpoint({
  route: 'GET /data/{ticket}/report',
  access: 'signed-in',
  summary: 'Download all duplicates and invalid cells of an import, also after its rows were deleted',
  params: ticketParams,
  response: 'file',
  failures: [404, 429],
});
