import { z } from 'zod';
import { messageAnswer } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';

/** The HTML rule for email fields: `admin@localhost` is an address. */
const email = z.email({ pattern: z.regexes.html5Email, error: 'server_email_form' }).max(254);
const codeFlag = z.enum(['0', '1']);

const user = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  superadmin: codeFlag,
  new_user: codeFlag,
  company_code: z.string().nullable(),
});

/** What the token's payload says (docs/rules.md, Sessions); instants in seconds. */
export type TokenPayload = {
  sub: string;
  email: string;
  name: string;
  superadmin: '0' | '1';
  new_user: '0' | '1';
  company_code: string | null;
  iat: number;
  exp: number;
};

export const signIn = endpoint({
  method: 'POST',
  path: '/auth/login',
  access: 'public',
  summary: 'Sign in',
  body: z.object({ email, password: z.string().min(1).max(1000) }),
  response: z.object({ token: z.string() }),
});

export const createUser = endpoint({
  method: 'POST',
  path: '/auth/register',
  access: 'superadmin',
  refusal: (locale) => m.server_superadmin_only_register({}, { locale }),
  summary: 'Register a user',
  status: 201,
  body: z.object({
    name: z.string().trim().min(3).max(200),
    email,
    password: z.string().min(8, 'server_password_minimum').max(1000),
    superadmin: codeFlag.default('0'),
    company_code: z.string('server_select_company').min(1, 'server_select_company').max(20),
  }),
  response: z.object({ message: z.string(), user }),
});

export const forgotPassword = endpoint({
  method: 'POST',
  path: '/auth/forgot-password',
  access: 'public',
  summary: 'Ask for a link that sets a new password',
  body: z.object({ email }),
  response: messageAnswer,
});

export const verifyResetToken = endpoint({
  method: 'GET',
  path: '/auth/verify-reset-token/{token}',
  access: 'public',
  summary: 'Tell whether a reset link can still be used',
  // Whatever is no token is answered as one that cannot be used.
  params: z.object({ token: z.string() }),
  response: z.object({ valid: z.boolean() }),
});

export const resetPassword = endpoint({
  method: 'POST',
  path: '/auth/reset-password',
  access: 'public',
  summary: 'Set a new password by a reset link',
  body: z.object({
    token: z
      .string('server_reset_link_invalid')
      .min(1, 'server_reset_link_invalid')
      .max(200, 'server_reset_link_invalid'),
    newPassword: z.string().min(8, 'server_reset_password_short').max(1000),
  }),
  response: messageAnswer,
});

export const changePassword = endpoint({
  method: 'POST',
  path: '/auth/change-password',
  access: 'new-user',
  summary: 'Change the own password; ends every older session and answers a fresh token',
  body: z.object({
    currentPassword: z.string().min(1).max(1000),
    newPassword: z.string().min(8, 'server_new_password_short').max(1000),
  }),
  response: z.object({ message: z.string(), token: z.string().optional() }),
});
