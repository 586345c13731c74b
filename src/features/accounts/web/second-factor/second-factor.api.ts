import { queryOptions } from '@tanstack/react-query';
import type * as contract from '#features/accounts/second-factor.contract.ts';
import { call } from '#web/client/api-client.ts';

/** Whether the user has a second factor or must have one, and the number of unused recovery codes. */
export const secondFactor = queryOptions({
  queryKey: ['second-factor'],
  queryFn: ({ signal }) => call<typeof contract.readSecondFactor>('GET /auth/totp', {}, signal),
});

export const startSecondFactor = () => call<typeof contract.startSecondFactor>('POST /auth/totp', {});

/** Answers the recovery codes, this one time, and a fresh token. */
export const confirmSecondFactor = (code: string) =>
  call<typeof contract.confirmSecondFactor>('POST /auth/totp/confirm', { body: { code } });

export const deleteSecondFactor = (password: string) =>
  call<typeof contract.deleteSecondFactor>('DELETE /auth/totp', { body: { password } });
