import { z } from 'zod';
import { boundedRecord, companyParams } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { isPlainName } from '#shared/name-rules.ts';
import { maxSearchLength } from '#shared/search.ts';
import { keyForm, maxFieldNameLength, maxFields, maxFieldValueLength } from './fields.shared.ts';

const wholeKey = new RegExp(`^${keyForm}$`);

export const fieldKey = z
  .string()
  .regex(wholeKey, 'server_fields_key_form')
  .meta({ description: 'The name of the field for programs', examples: ['employee'] });

const field = z.object({
  key: fieldKey,
  name: z
    .string()
    .trim()
    .min(1)
    .max(maxFieldNameLength)
    .meta({ description: 'The name of its column', examples: ['Employee'] }),
});
export type OwnField = z.infer<typeof field>;

const newField = field.extend({ name: field.shape.name.refine(isPlainName, 'server_name_one_line') });

const ownFields = z
  .object({ fields: z.array(field).describe('In the order of their columns') })
  .meta({ id: 'Fields', description: 'The own columns of a company' });

export const getFields = endpoint({
  route: 'GET /fields/{company_code}',
  access: 'signed-in',
  summary: 'List the own columns of a company',
  params: companyParams,
  response: ownFields,
  failures: [404],
});

export const putFields = endpoint({
  route: 'PUT /fields/{company_code}',
  access: 'signed-in',
  summary: 'Replace the own columns of a company; at most 10',
  params: companyParams,
  query: z.object({
    forget: z
      .enum(['true', 'false'])
      .default('false')
      .describe('`true`: the values of columns that are left out are deleted; otherwise they are 409'),
  }),
  body: z
    .object({
      fields: z
        .array(newField)
        .max(maxFields)
        .refine(
          (fields) => new Set(fields.map((one) => one.key)).size === fields.length,
          'server_fields_key_twice',
        ),
      known: z
        .array(field)
        .max(maxFields)
        .optional()
        .describe('The columns that the caller read before; 409 if they are others now'),
    })
    .meta({ id: 'NewFields', examples: [{ fields: [{ key: 'employee', name: 'Employee' }] }] }),
  heavy: () => true,
  response: ownFields,
  failures: [404, 409],
});

/** The values of own columns, by key. Keys without a value are left out. */
export const fieldValues = z
  .record(z.string(), z.string())
  .describe("The values of the company's own columns, by key; those without a value are left out");
export type FieldValues = z.infer<typeof fieldValues>;

/** New values by key; null and an empty text remove a value. */
export const fieldChanges = boundedRecord(
  fieldKey,
  z.string().trim().max(maxFieldValueLength).nullable(),
  maxFields,
)
  .refine((changes) => Object.keys(changes).length > 0, 'server_fields_none')
  .describe('New values by key, of at most 200 characters; null removes a value');
export type FieldChanges = z.infer<typeof fieldChanges>;

const filterForm = `${keyForm}(\\.contains|\\.empty)?$`;
const filterName = new RegExp(`^${filterForm}`);

/**
 * Filters by own columns, by the rest of the parameter's name. In OpenAPI it is an object, whose properties become parameters:
 * there they have their whole names.
 */
export const fieldFilter = z
  .record(z.string(), z.string().max(maxSearchLength))
  .superRefine((filter, { addIssue }) => {
    for (const [name, value] of Object.entries(filter)) {
      const isValid = filterName.test(name) && (!name.endsWith('.empty') || /^(true|false)$/.test(value));
      if (!isValid)
        addIssue({ code: 'custom', path: [name], input: value, message: 'server_fields_filter_form' });
    }
  })
  .optional()
  .meta({
    description:
      'Own columns, each as a parameter of its own: `field.KEY=` a whole value in any case, `field.KEY.contains=` a part of it, ' +
      '`field.KEY.empty=true` or `false`. An unknown key is 400',
    propertyNames: { type: 'string', pattern: `^field\\.${filterForm}` },
    examples: [{ 'field.employee': 'Siti' }],
  });

/** An order by an own column. */
export const fieldSort = z.templateLiteral(['field.', z.string().regex(wholeKey)]);
