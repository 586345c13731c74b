import { z } from 'zod';

/** The HTML rule for email fields: `admin@localhost` is an address. */
export const email = z.email({ pattern: z.regexes.html5Email, error: 'server_email_form' }).max(254);

/** The shape of every failure (docs/rules.md, API). */
export const failure = z
  .object({
    message: z.string().describe('What happened, in the language of the caller'),
    error: z.string().describe('The same as `message`'),
    code: z.string().describe('The kind of failure, for programs; never translated'),
    details: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .describe('The invalid fields, or the unusable lines or cells of a file'),
  })
  .meta({ id: 'Error', description: 'Every failure' });

export type Failure = z.infer<typeof failure>;

export const messageAnswer = z
  .object({ message: z.string() })
  .meta({ id: 'Message', description: 'What was done, in the language of the caller' });

/** A whole number within the bounds that all calls share. */
export const wholeNumber = (min: number) => z.int().min(min).max(1_000_000_000);

/** The version of a record in the body of a change. A change that has none replaces any version. */
export const basedOnVersion = wholeNumber(0)
  .optional()
  .describe('The version that the change is based on; if there is another one by now, the answer is 409');

/**
 * A whole number of a query, in decimal digits: `Number` would also read `0x10`, `1e1` and spaces. Its default is given
 * with `prefault`, because OpenAPI leaves out the other one.
 */
export const queryNumber = (min: number, max: number) =>
  z.preprocess((given, context) => {
    if (typeof given === 'number') return given;
    if (typeof given === 'string' && /^-?\d+$/.test(given)) return Number(given);
    context.addIssue({ code: 'invalid_type', expected: 'int', input: given });
    return z.NEVER;
  }, z.int().min(min).max(max));

/**
 * A record of at most `max` keys. They are counted before the record is validated, because validation makes an issue of
 * each invalid one: a body may have millions. The key `__proto__`, which Zod leaves out, is invalid.
 */
export function boundedRecord<K extends z.ZodString, V extends z.ZodType>(key: K, value: V, max: number) {
  return z.preprocess(
    (given, context) => {
      if (typeof given !== 'object' || given === null) return given;
      if (Object.keys(given).length > max) {
        context.addIssue({ code: 'too_big', origin: 'map', maximum: max, input: given });
      } else if (Object.hasOwn(given, '__proto__')) {
        context.addIssue({ code: 'invalid_key', origin: 'record', issues: [], input: given });
      } else return given;
      return z.NEVER;
    },
    z.record(key, value),
  );
}

/** Parses an opaque identifier of a path into the number behind it; 0, which no row has, when there is none. */
export const idParams = z.object({
  id: z
    .string()
    .min(1)
    .max(40)
    .transform((id) => (/^\d{1,15}$/.test(id) ? Number(id) : 0))
    .meta({ description: 'The `_id` of the record', examples: ['7'] }),
});

export const ticketNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'server_ticket_number_form')
  .meta({ description: 'The number of a ticket, in digits', examples: ['12'] });

/** A calendar day. PostgreSQL knows no year 0. */
export const calendarDay = z.iso.date().refine((text) => text >= '0001');

/** The format of a download. */
export const fileFormat = z
  .enum(['excel', 'json'])
  .default('excel')
  .describe('`excel` for an .xlsx workbook, `json` for JSON');

/** A company in a path. */
export const companyParams = z.object({
  company_code: z
    .string()
    .min(1)
    .max(20)
    .meta({ description: 'The code of a company', examples: ['ACM001'] }),
});

/** The company of something new. */
export const activeCompany = z
  .string('server_select_company')
  .min(1, 'server_select_company')
  .max(20)
  .describe('The code of an Active client');

/** Narrows a read to one company; superadmins see all companies without it. */
export const companyFilter = z
  .string()
  .min(1)
  .max(20)
  .meta({
    description: 'The code of a company; by default all that the caller may see',
    examples: ['ACM001'],
  });
