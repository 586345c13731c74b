import { z } from 'zod';
import { activeCompany, email, idParams, messageAnswer } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { pageOf, pagingQuery } from '#shared/paging.ts';
import { firstName, lastName, role } from './users.contract.ts';

const invitation = z
  .object({
    _id: z.string(),
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    role,
    company_code: z.string(),
    invited_by: z
      .object({ _id: z.string(), email: z.string() })
      .nullable()
      .describe('Null when the user is gone, and for a superadmin unless a superadmin asks'),
    created_at: z.string(),
    expires_at: z.string().describe('The instant from which the link cannot be used'),
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.infer<typeof invitation>;

const invitationOrder = z
  .object({
    email,
    first_name: firstName,
    last_name: lastName,
    role,
    company_code: activeCompany.describe(
      'The code of an Active client; company administrators invite into their own company',
    ),
  })
  .meta({ id: 'NewInvitation' });
export type InvitationOrder = z.infer<typeof invitationOrder>;

export const createInvitation = endpoint({
  route: 'POST /invitations',
  access: 'admin',
  sessionOnly: true,
  summary: 'Mail somebody a link, valid 7 days, to choose a password and become a user',
  description:
    'Each company invites an address for itself. Company administrators are not told whether it belongs to a user whom they do not manage; then the link cannot be accepted.',
  status: 201,
  body: invitationOrder,
  response: z.object({ message: z.string(), invitation }).meta({ id: 'CreatedInvitation' }),
  failures: [409, 429],
});

export const listInvitations = endpoint({
  route: 'GET /invitations',
  access: 'admin',
  summary: 'List invitations that were not accepted yet, newest first',
  query: pagingQuery,
  tagged: true,
  response: pageOf(invitation).meta({ id: 'InvitationPage' }),
});

export const sendInvitation = endpoint({
  route: 'POST /invitations/{id}/send',
  access: 'admin',
  sessionOnly: true,
  summary: 'Mail an invitation again, with a new link that is valid 7 days; the old link ends',
  params: idParams,
  status: 202,
  response: messageAnswer,
  failures: [404, 429],
});

export const deleteInvitation = endpoint({
  route: 'DELETE /invitations/{id}',
  access: 'admin',
  sessionOnly: true,
  summary: 'Withdraw an invitation; its link ends',
  params: idParams,
  response: messageAnswer,
  failures: [404],
});

export const verifyInvitation = endpoint({
  route: 'GET /auth/verify-invitation/{token}',
  access: 'public',
  summary: 'Check whether the link of an invitation can still be used, and for whom it is',
  // Accepts any text, because text that is no token is simply not valid.
  params: z.object({ token: z.string().describe('The token of the link') }),
  response: z
    .object({
      valid: z.boolean(),
      email: z.string().nullable().describe('This and the following are null unless the link is valid'),
      company_name: z.string().nullable(),
      inviter: z
        .string()
        .nullable()
        .describe('Name and email address of the user who invited; null when the user is gone'),
    })
    .meta({ id: 'InvitationState' }),
});

export const acceptInvitation = endpoint({
  route: 'POST /invitations/accept',
  access: 'public',
  summary: 'Become a user by the link of an invitation',
  status: 201,
  body: z
    .object({
      token: z
        .string('server_invitation_invalid')
        .min(1, 'server_invitation_invalid')
        .max(200, 'server_invitation_invalid')
        .describe('The token of the link'),
      password: z
        .string()
        .min(8, 'server_password_minimum')
        .max(1000)
        .describe('None of the most common ones'),
    })
    .meta({ id: 'AcceptedInvitation' }),
  response: z
    .object({ message: z.string(), email: z.string().describe('The address to sign in with') })
    .meta({ id: 'InvitedUser' }),
  failures: [409, 429],
});
