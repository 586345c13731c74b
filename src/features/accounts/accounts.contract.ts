import { z } from 'zod';
import { activeCompany, email, messageAnswer } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { hasNoAddress, isPlainName } from '#shared/name-rules.ts';
import { m } from '#shared/texts/messages.js';

const codeFlag = z.enum(['0', '1']);

const user = z
  .object({
    _id: z.string(),
    name: z.string(),
    email: z.string(),
    superadmin: codeFlag.describe('1 for a superadmin'),
    new_user: codeFlag.describe('1 until the user has changed the first password'),
    company_code: z.string().nullable().describe('Null only for a superadmin without a company'),
  })
  .meta({ id: 'User' });

/** The payload of a token (docs/rules.md, Sessions); instants in seconds. */
export type TokenPayload = {
  sub: string;
  email: string;
  name: string;
  superadmin: '0' | '1';
  new_user: '0' | '1';
  company_code: string | null;
  /** Only in tokens of company administrators. */
  role?: 'company-admin';
  /** Only in tokens of users who must set up a second factor before any other call. */
  second_factor_due?: '1';
  /** Only in tokens of a single sign-on, which counts as a second factor. */
  sso?: '1';
  iat: number;
  exp: number;
};

/** A session token, as answers carry it. */
export const token = z.string().describe('A session token (JWT), for `Authorization: Bearer`');

/** The answer to a completed sign-in. */
export const session = z
  .object({ token })
  .meta({ id: 'Session', examples: [{ token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl' }] });

export const signIn = endpoint({
  route: 'POST /auth/login',
  access: 'public',
  summary: 'Sign in',
  body: z
    .object({ email, password: z.string().min(1).max(1000) })
    .meta({ id: 'SignIn', examples: [{ email: 'user@acme.example', password: 'seven green bikes' }] }),
  response: z
    .object({
      token: token.optional(),
      second_factor: z
        .literal(true)
        .optional()
        .describe('The user has a second factor; there is no token yet'),
      challenge: z.string().optional().describe('For `POST /auth/second-factor`, within 10 minutes'),
    })
    .meta({ id: 'SignInAnswer', description: 'A token, or a challenge for a user with a second factor' }),
  failures: [401, 429],
});

export const createUser = endpoint({
  route: 'POST /auth/register',
  access: 'superadmin',
  sessionOnly: true,
  refusal: m.server_superadmin_only_register,
  summary: 'Register a user',
  status: 201,
  body: z
    .object({
      name: z
        .string()
        .trim()
        .min(3)
        .max(100)
        .refine(isPlainName, 'server_name_one_line')
        .refine(hasNoAddress, 'server_name_no_address'),
      email,
      password: z
        .string()
        .min(8, 'server_password_minimum')
        .max(1000)
        .describe('The first password, which the user must change; none of the most common ones'),
      superadmin: codeFlag.default('0').describe('1 registers a superadmin'),
      company_code: activeCompany,
    })
    .meta({ id: 'NewUser' }),
  response: z.object({ message: z.string(), user }).meta({ id: 'RegisteredUser' }),
  failures: [409, 429],
});

export const forgotPassword = endpoint({
  route: 'POST /auth/forgot-password',
  access: 'public',
  summary: 'Mail a user a link that sets a new password; unknown users get the same answer',
  body: z.object({ email }).meta({ id: 'PasswordResetRequest' }),
  response: messageAnswer,
});

export const verifyResetToken = endpoint({
  route: 'GET /auth/verify-reset-token/{token}',
  access: 'public',
  summary: 'Check whether a reset link can still be used',
  // Accepts any text, because text that is no token is simply not valid.
  params: z.object({ token: z.string().describe('The token of the link') }),
  response: z.object({ valid: z.boolean() }).meta({ id: 'ResetLinkState' }),
});

export const resetPassword = endpoint({
  route: 'POST /auth/reset-password',
  access: 'public',
  summary: 'Set a new password by a reset link',
  body: z
    .object({
      token: z
        .string('server_reset_link_invalid')
        .min(1, 'server_reset_link_invalid')
        .max(200, 'server_reset_link_invalid')
        .describe('The token of the link'),
      newPassword: z.string().min(8, 'server_reset_password_short').max(1000),
    })
    .meta({ id: 'PasswordReset' }),
  response: messageAnswer,
  failures: [429],
});

export const changePassword = endpoint({
  route: 'POST /auth/change-password',
  access: 'new-user',
  sessionOnly: true,
  summary: 'Change your own password; ends every older session',
  body: z
    .object({
      currentPassword: z.string().min(1).max(1000),
      newPassword: z.string().min(8, 'server_new_password_short').max(1000),
    })
    .meta({
      id: 'PasswordChange',
      examples: [{ currentPassword: 'seven green bikes', newPassword: 'nine brown kettles' }],
    }),
  response: z
    .object({ message: z.string(), token: token.optional() })
    .meta({ id: 'ChangedPassword', description: 'Without a token, sign in again' }),
  failures: [429],
});
