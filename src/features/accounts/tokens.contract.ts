import { z } from 'zod';
import { idParams, messageAnswer } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { isPlainName } from '#shared/name-rules.ts';
import { pageOf, pagingQuery } from '#shared/paging.ts';

const scope = z
  .enum(['read', 'write'])
  .describe('`read`: only calls that change nothing; `write`: all that the owner may do with a token');
export type TokenScope = z.infer<typeof scope>;

const apiToken = z
  .object({
    _id: z.string(),
    name: z.string(),
    scope,
    created_at: z.string(),
    expires_at: z.string().nullable().describe('The instant from which it is refused; null: never'),
    last_used: z.string().nullable().describe('The instant of its latest use, to the minute'),
  })
  .meta({ id: 'ApiToken', description: 'A key by which a program calls the API as its owner' });
export type ApiToken = z.infer<typeof apiToken>;

const tokenPage = pageOf(apiToken).meta({ id: 'ApiTokenPage' });

const tokenOrder = z
  .object({
    name: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .refine(isPlainName, 'server_name_one_line')
      .describe('What the token is for'),
    scope,
    expires_at: z.iso
      .datetime({ offset: true })
      .nullable()
      .default(null)
      .describe('An instant in the future; null: it does not expire'),
  })
  .meta({ id: 'ApiTokenOrder', examples: [{ name: 'Nightly import', scope: 'write', expires_at: null }] });
export type TokenOrder = z.output<typeof tokenOrder>;

export const listTokens = endpoint({
  route: 'GET /tokens',
  access: 'signed-in',
  summary: "List the caller's API tokens, newest first, without their secrets",
  query: pagingQuery,
  tagged: true,
  response: tokenPage,
});

export const createToken = endpoint({
  route: 'POST /tokens',
  access: 'signed-in',
  sessionOnly: true,
  summary: 'Create an API token; its secret is answered this one time',
  body: tokenOrder,
  status: 201,
  response: apiToken
    .extend({ token: z.string().describe('The secret, to be sent as `Authorization: Bearer`') })
    .meta({ id: 'NewApiToken' }),
  failures: [409],
});

export const deleteToken = endpoint({
  route: 'DELETE /tokens/{id}',
  access: 'signed-in',
  sessionOnly: true,
  summary: 'Revoke an API token at once',
  params: idParams,
  response: messageAnswer,
  failures: [404],
});

export const listUserTokens = endpoint({
  route: 'GET /users/{id}/tokens',
  access: 'admin',
  summary: 'List the API tokens of a user, newest first, without their secrets',
  params: idParams,
  query: pagingQuery,
  tagged: true,
  response: tokenPage,
  failures: [404],
});

export const deleteUserToken = endpoint({
  route: 'DELETE /users/{id}/tokens/{token_id}',
  access: 'admin',
  sessionOnly: true,
  summary: 'Revoke an API token of a user at once',
  params: idParams.extend({ token_id: idParams.shape.id }),
  response: messageAnswer,
  failures: [404],
});
