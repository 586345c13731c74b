import type {
  changePassword,
  forgotPassword,
  login,
  register,
  resetPassword,
  verifyResetToken,
} from '#features/accounts/accounts.contract.ts';
import type { Body } from '#shared/endpoint.ts';
import { call } from '#web/client/api-client.ts';

/** Answers the session's token. */
export const signIn = (email: string, password: string) =>
  call<typeof login>('POST /auth/login', { body: { email, password } });

export const askForResetLink = (email: string) =>
  call<typeof forgotPassword>('POST /auth/forgot-password', { body: { email } });

export const checkResetToken = (token: string) =>
  call<typeof verifyResetToken>('GET /auth/verify-reset-token/{token}', { params: { token } });

export const setPasswordByLink = (token: string, newPassword: string) =>
  call<typeof resetPassword>('POST /auth/reset-password', { body: { token, newPassword } });

/** Answers a fresh token where the present one ends with the change. */
export const changeOwnPassword = (currentPassword: string, newPassword: string) =>
  call<typeof changePassword>('POST /auth/change-password', { body: { currentPassword, newPassword } });

/** Makes a user, who must change this password first. */
export const registerUser = (body: Body<typeof register>) =>
  call<typeof register>('POST /auth/register', { body });
