import { z } from 'zod';
import { idParams, messageAnswer } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { isPlainName } from '#shared/name-rules.ts';
import { pageOf, pagingQuery } from '#shared/paging.ts';

const maxNameLength = 100;
/** In characters: longer than all filters together, apart from very long texts. */
const maxQueryLength = 4000;

const fields = {
  name: z.string().trim().min(1).max(maxNameLength),
  screen: z.enum(['devices']).describe('The screen whose list is filtered'),
  query: z
    .string()
    .max(maxQueryLength)
    .describe(
      "The list's query string: filters and order; empty for all devices. Unknown and repeated parameters are refused",
    ),
  shared: z.boolean().describe('Whether colleagues of the company and superadmins see it'),
};

const name = fields.name.refine(isPlainName, 'server_name_one_line');

const view = z
  .object({
    _id: z.string(),
    ...fields,
    company_code: z.string().nullable().describe('The company of its devices; null for all companies'),
    own: z.boolean().describe('Whether the caller owns the view, and so may change it'),
    owner: z.string().describe("The owner's name"),
  })
  .meta({ id: 'View', description: 'A saved filter of a list' });
export type View = z.infer<typeof view>;

const viewAnswer = z.object({ view }).meta({ id: 'SavedView' });

export const listViews = endpoint({
  route: 'GET /views',
  access: 'signed-in',
  summary:
    "List the caller's views and those shared with the caller, by name, each with its number of devices",
  query: pagingQuery.extend({
    counts: z.enum(['0', '1']).default('1').describe('0 leaves out the numbers of devices, which take long'),
  }),
  heavy: ({ counts }) => counts !== '0',
  readOnly: true,
  response: pageOf(
    view
      .extend({
        count: z
          .int()
          .optional()
          .describe('The number of devices that it finds; absent if it filters by a removed own column'),
      })
      .meta({ id: 'CountedView' }),
  ).meta({ id: 'ViewPage' }),
});

export const createView = endpoint({
  route: 'POST /views',
  access: 'signed-in',
  summary: 'Save a view',
  body: z
    .object({
      ...fields,
      name,
      screen: fields.screen.default('devices'),
      shared: fields.shared.default(false),
    })
    .meta({
      id: 'NewView',
      examples: [{ name: 'Ends soon', screen: 'devices', query: 'ends_within=30', shared: false }],
    }),
  status: 201,
  response: viewAnswer,
  failures: [409],
});

export const updateView = endpoint({
  route: 'PUT /views/{id}',
  access: 'signed-in',
  summary: 'Change a view: its name, query or sharing; absent fields stay',
  params: idParams,
  body: z
    .object({ ...fields, name })
    .partial()
    .meta({ id: 'ChangedView', examples: [{ name: 'Ends within a month', shared: true }] }),
  response: viewAnswer,
  failures: [404],
});

export const deleteView = endpoint({
  route: 'DELETE /views/{id}',
  access: 'signed-in',
  summary: 'Delete a view',
  params: idParams,
  response: messageAnswer,
  failures: [404],
});
