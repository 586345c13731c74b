import { z } from 'zod';
import { fieldKey } from '#features/devices/fields.contract.ts';
import { basedOnVersion, companyParams, email, messageAnswer } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';

/** The most receivers of a digest. */
const maxReceivers = 20;
/** In days: two years, longer than coverage is usually planned for. */
const farthestHorizon = 730;

const settings = {
  active: z.boolean().describe('Whether digests are sent and the calendar has events'),
  cadence: z.enum(['weekly', 'monthly']),
  day: z.int().min(1).max(28).describe('1 (Monday) to 7 for `weekly`, 1 to 28 for `monthly`'),
  horizon_days: z
    .int()
    .min(1)
    .max(farthestHorizon)
    .describe('How many days ahead an end of coverage is told'),
  language: z.enum(['en', 'id']).describe('The language of mails and calendar'),
  receivers: z
    .array(email)
    .max(maxReceivers)
    .refine(
      (addresses) => new Set(addresses.map((one) => one.toLowerCase())).size === addresses.length,
      'server_watch_same_receiver',
    )
    .describe('The addresses that get the digest; one that once unsubscribed has to confirm first'),
};

const groupBy = fieldKey
  .nullable()
  .describe('The own column by whose values the digest also sums the devices; null for none');

const watch = z
  .object({
    ...settings,
    receivers: z.array(z.string()),
    group_by: groupBy,
    unconfirmed: z
      .array(z.string())
      .describe(
        'Addresses that once unsubscribed: they get nothing until they confirm by a link that is mailed to them',
      ),
    ics_url: z.string().describe('The secret address of the calendar'),
    next_on: z.string().nullable().describe('The day of the next digest; null while switched off'),
    ends_from: z.string().describe('Today in APP_TIMEZONE: the first day of the horizon'),
    ends_to: z.string().describe('The last day of the horizon'),
    version: z.int().describe('Grows with every change of the settings, also when a receiver unsubscribes'),
  })
  .meta({ id: 'Watch', description: 'The expiry watch of a company' });
export type Watch = z.infer<typeof watch>;

const body = z
  .object({
    ...settings,
    group_by: groupBy.optional(),
    version: basedOnVersion,
  })
  .refine(({ cadence, day }) => cadence === 'monthly' || day <= 7, {
    path: ['day'],
    message: 'server_watch_day',
  })
  .meta({
    id: 'WatchSettings',
    examples: [
      {
        active: true,
        cadence: 'weekly',
        day: 1,
        horizon_days: 30,
        language: 'en',
        receivers: ['ayu@example.com'],
      },
    ],
  });
export type WatchChange = z.infer<typeof body>;

export const getWatch = endpoint({
  route: 'GET /watch/{company_code}',
  access: 'signed-in',
  summary: 'Read the expiry watch of a company, its defaults before it was first stored',
  params: companyParams,
  response: watch,
  tagged: true,
  failures: [404],
});

export const putWatch = endpoint({
  route: 'PUT /watch/{company_code}',
  access: 'signed-in',
  summary: 'Replace the settings of the expiry watch of a company',
  params: companyParams,
  body,
  response: watch,
  failures: [404, 409],
});

export const renewWatch = endpoint({
  route: 'POST /watch/{company_code}/renew',
  access: 'signed-in',
  summary: 'Give the calendar a new secret address; the old one ends at once',
  params: companyParams,
  response: watch,
  failures: [404],
});

export const readCalendar = endpoint({
  route: 'GET /calendar/{secret}.ics',
  access: 'public',
  summary: 'Read the calendar of ends of coverage: one event per day that has some',
  params: z.object({
    secret: z
      .string()
      .min(1)
      .max(100)
      .meta({ description: 'The secret of the address', examples: ['0'] }),
  }),
  response: 'file',
  failures: [404],
});

const token = z.object({
  token: z
    .string()
    .min(1)
    .max(100)
    .meta({ description: 'The token of the link in a mail', examples: ['0'] }),
});

export const readSubscription = endpoint({
  route: 'GET /unsubscribe/{token}',
  access: 'public',
  summary: 'Read who is to be removed from which digest; nothing is changed',
  params: token,
  response: z.object({ address: z.string(), company_name: z.string() }).meta({ id: 'Subscription' }),
  failures: [404],
});

export const unsubscribe = endpoint({
  route: 'POST /unsubscribe/{token}',
  access: 'public',
  summary: 'Remove a receiver from a digest by the link of a mail; works again without effect',
  params: token,
  response: messageAnswer,
});

export const readConfirmation = endpoint({
  route: 'GET /subscribe/{token}',
  access: 'public',
  summary: 'Read who is to receive which digest again; nothing is changed',
  params: token,
  response: z.object({ address: z.string(), company_name: z.string() }).meta({ id: 'Confirmation' }),
  failures: [404],
});

export const confirmSubscription = endpoint({
  route: 'POST /subscribe/{token}',
  access: 'public',
  summary:
    'Make an address that unsubscribed a receiver again, by the link of a mail; works again without effect',
  params: token,
  response: messageAnswer,
});
