import { z } from 'zod';
import { companyFilter, idParams, messageAnswer } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { hasNoAddress, isPlainName } from '#shared/name-rules.ts';
import { pageOf, pagingQuery } from '#shared/paging.ts';
import { roles } from '#shared/role.ts';
import { maxSearchLength } from '#shared/search.ts';

export const role = z
  .enum(roles)
  .describe('`company-admin`: a user who also manages the users of the own company');

/** Parts of a name. A person with a single name has no last name. */
const partOfName = z
  .string()
  .trim()
  .max(100)
  .refine(isPlainName, 'server_name_one_line')
  .refine(hasNoAddress, 'server_name_no_address');
export const firstName = partOfName.min(1);
export const lastName = partOfName.describe('May be empty');

const userEntry = z
  .object({
    _id: z.string(),
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    company_code: z.string().nullable().describe('Null only for a superadmin without a company'),
    role,
    active: z.boolean().describe('Whether the user can sign in'),
    last_login: z.string().nullable().describe('The instant of the latest sign-in'),
    created_at: z.string(),
    second_factor: z.boolean().describe('Whether signing in needs a second factor'),
  })
  .meta({ id: 'UserEntry', description: 'A user, as administrators see it' });
export type UserEntry = z.infer<typeof userEntry>;

const userQuery = z.object({
  q: z.string().trim().max(maxSearchLength).optional().describe('Part of a name or email address'),
  company_code: companyFilter.optional(),
  role: role.optional(),
  active: z
    .enum(['true', 'false'])
    .optional()
    .describe('`true`: users who can sign in; `false`: deactivated users'),
  second_factor: z
    .enum(['true', 'false'])
    .optional()
    .describe('`true`: users with a second factor; `false`: users without'),
});
export type UserQuery = z.infer<typeof userQuery>;

export const listUsers = endpoint({
  route: 'GET /users',
  access: 'admin',
  summary:
    'List users by name; company administrators see users and company administrators of their own company',
  query: pagingQuery.extend(userQuery.shape),
  tagged: true,
  response: pageOf(userEntry).meta({ id: 'UserEntryPage' }),
});

const userChange = z
  .object({
    first_name: firstName.optional(),
    last_name: lastName.optional(),
    company_code: z.string().min(1).max(20).optional().describe('The code of an Active client'),
    role: role.optional(),
    active: z.boolean().optional().describe('False deactivates the user'),
  })
  .meta({ id: 'UserChange', examples: [{ role: 'company-admin' }] });
export type UserChange = z.infer<typeof userChange>;

export const updateUser = endpoint({
  route: 'PATCH /users/{id}',
  access: 'admin',
  sessionOnly: true,
  summary: 'Update a user; another role, company or state ends their sessions, tokens and links',
  params: idParams,
  body: userChange,
  response: z.object({ message: z.string(), user: userEntry }).meta({ id: 'UpdatedUser' }),
  failures: [404, 409],
});

export const signOutUser = endpoint({
  route: 'POST /users/{id}/sign-out',
  access: 'admin',
  sessionOnly: true,
  summary: 'End every session and API token of a user',
  params: idParams,
  response: messageAnswer,
  failures: [404],
});

export const resetUserSecondFactor = endpoint({
  route: 'DELETE /users/{id}/second-factor',
  access: 'superadmin',
  sessionOnly: true,
  summary: 'Remove the second factor that a user has lost, and end every session of the user',
  params: idParams,
  response: messageAnswer,
  failures: [404, 409],
});

export const sendUserReset = endpoint({
  route: 'POST /users/{id}/reset',
  access: 'admin',
  sessionOnly: true,
  summary: 'Mail an active user a link that sets a new password',
  params: idParams,
  status: 202,
  response: messageAnswer,
  failures: [404, 409, 429],
});
