import type * as contract from '#features/accounts/accounts.contract.ts';
import type * as invitations from '#features/accounts/invitations.contract.ts';
import type * as secondFactor from '#features/accounts/second-factor.contract.ts';
import type { Body } from '#shared/endpoint.ts';
import { call } from '#web/client/api-client.ts';

/** Answers the session's token, or a challenge for a user with a second factor. */
export const signIn = (email: string, password: string) =>
  call<typeof contract.signIn>('POST /auth/login', { body: { email, password } });

/** Completes a sign-in by a code; answers the session's token. */
export const answerSecondFactor = (challenge: string, code: string) =>
  call<typeof secondFactor.answerSecondFactor>('POST /auth/second-factor', { body: { challenge, code } });

export const askForResetLink = (email: string) =>
  call<typeof contract.forgotPassword>('POST /auth/forgot-password', { body: { email } });

export const checkResetToken = (token: string) =>
  call<typeof contract.verifyResetToken>('GET /auth/verify-reset-token/{token}', { params: { token } });

export const setPasswordByLink = (token: string, newPassword: string) =>
  call<typeof contract.resetPassword>('POST /auth/reset-password', { body: { token, newPassword } });

export const checkInvitation = (token: string) =>
  call<typeof invitations.verifyInvitation>('GET /auth/verify-invitation/{token}', { params: { token } });

export const acceptInvitation = (token: string, password: string) =>
  call<typeof invitations.acceptInvitation>('POST /invitations/accept', { body: { token, password } });

/** Answers a fresh token where the present one ends with the change. */
export const changeOwnPassword = (currentPassword: string, newPassword: string) =>
  call<typeof contract.changePassword>('POST /auth/change-password', {
    body: { currentPassword, newPassword },
  });

/** Makes a user, who must change this password first. */
export const registerUser = (body: Body<typeof contract.createUser>) =>
  call<typeof contract.createUser>('POST /auth/register', { body });
