import { z } from 'zod';
import { endpoint } from '#shared/endpoint.ts';
import { session } from './accounts.contract.ts';

export const readSignInOptions = endpoint({
  route: 'GET /auth/options',
  access: 'public',
  summary: 'Read the ways to sign in besides email and password',
  response: z
    .object({
      single_sign_on: z.boolean().describe('Whether `GET /auth/oidc` leads to an identity provider'),
    })
    .meta({ id: 'SignInOptions' }),
});

export const startSingleSignOn = endpoint({
  route: 'GET /auth/oidc',
  access: 'public',
  summary: 'Lead a browser to the identity provider, or back to the sign-in screen if it does not answer',
  status: 302,
  response: 'file',
  failures: [404],
});

export const finishSingleSignOn = endpoint({
  route: 'GET /auth/oidc/callback',
  access: 'public',
  summary:
    'Take a browser back from the identity provider, and lead it to the app with a one-time code of 60 seconds',
  status: 302,
  response: 'file',
  failures: [404],
});

export const redeemSingleSignOn = endpoint({
  route: 'POST /auth/oidc/token',
  access: 'public',
  summary: 'Exchange the one-time code of a single sign-on for a session',
  body: z.object({ code: z.string().min(1).max(200) }).meta({ id: 'SingleSignOnCode' }),
  response: session,
  failures: [401],
});
