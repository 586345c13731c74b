import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type * as invitations from '#features/accounts/invitations.contract.ts';
import type * as users from '#features/accounts/users.contract.ts';
import type { Body } from '#shared/endpoint.ts';
import { call } from '#web/client/api-client.ts';
import { polled } from '#web/client/query-client.ts';

export type { Invitation } from '#features/accounts/invitations.contract.ts';
export type { UserEntry } from '#features/accounts/users.contract.ts';

/** The filters of the list; an empty text filters nothing. */
export type UserChoice = {
  q: string;
  company_code: string;
  role: '' | users.UserEntry['role'];
  active: '' | 'true' | 'false';
  second_factor: '' | 'true' | 'false';
};

/** One page of the users; the page before stays on screen until the next one is there. */
export const userPage = (choice: UserChoice, page: number, limit: number) =>
  queryOptions({
    ...polled,
    queryKey: ['users', 'page', choice, page, limit],
    queryFn: ({ signal }) => {
      const { role, active, second_factor, ...texts } = choice;
      const query = {
        ...texts,
        role: role || undefined,
        active: active || undefined,
        second_factor: second_factor || undefined,
        page,
        limit,
      };
      return call<typeof users.listUsers>('GET /users', { query }, signal);
    },
    placeholderData: keepPreviousData,
  });

export const updateUser = (id: string, body: Body<typeof users.updateUser>) =>
  call<typeof users.updateUser>('PATCH /users/{id}', { params: { id }, body });

export const signOutUser = (id: string) =>
  call<typeof users.signOutUser>('POST /users/{id}/sign-out', { params: { id } });

export const resetUserSecondFactor = (id: string) =>
  call<typeof users.resetUserSecondFactor>('DELETE /users/{id}/second-factor', { params: { id } });

export const sendUserReset = (id: string) =>
  call<typeof users.sendUserReset>('POST /users/{id}/reset', { params: { id } });

/** One page of the open invitations. */
export const invitationPage = (page: number, limit: number) =>
  queryOptions({
    ...polled,
    queryKey: ['users', 'invitations', page, limit],
    queryFn: ({ signal }) =>
      call<typeof invitations.listInvitations>('GET /invitations', { query: { page, limit } }, signal),
    placeholderData: keepPreviousData,
  });

export const createInvitation = (body: Body<typeof invitations.createInvitation>) =>
  call<typeof invitations.createInvitation>('POST /invitations', { body });

export const sendInvitation = (id: string) =>
  call<typeof invitations.sendInvitation>('POST /invitations/{id}/send', { params: { id } });

export const deleteInvitation = (id: string) =>
  call<typeof invitations.deleteInvitation>('DELETE /invitations/{id}', { params: { id } });
