import type { listInvitations } from '#features/accounts/invitations.contract.ts';
import type { updateUser as update } from '#features/accounts/users.contract.ts';
import type { Body } from '#shared/endpoint.ts';
import { call } from '#web/client/api-client.ts';
import { polled, readPage } from '#web/client/read.ts';

export const updateUser = (id: string, body: Body<typeof update>) =>
  call<typeof update>('PATCH /users/{id}', { params: { id }, body });

export const invitationPage = (page: number, limit: number) =>
  polled(
    readPage<typeof listInvitations>(['users', 'invitations'], 'GET /invitations', {
      query: { page, limit },
    }),
  );
