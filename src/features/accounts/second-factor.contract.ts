import { z } from 'zod';
import { messageAnswer } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { session, token } from './accounts.contract.ts';

const code = z.string().trim().min(1).max(100);

export const readSecondFactor = endpoint({
  route: 'GET /auth/totp',
  access: 'setting-up',
  sessionOnly: true,
  summary: "Read the state of the caller's second factor",
  response: z
    .object({
      active: z.boolean().describe('Whether signing in needs a code'),
      required: z.boolean().describe("Whether the caller's role must have one (`SECOND_FACTOR_ROLES`)"),
      recovery_codes: z.number().int().describe('The number of unused recovery codes'),
    })
    .meta({ id: 'SecondFactor' }),
});

export const startSecondFactor = endpoint({
  route: 'POST /auth/totp',
  access: 'setting-up',
  sessionOnly: true,
  summary: 'Create the secret of a second factor (TOTP), which counts once a code of it was confirmed',
  response: z
    .object({
      secret: z.string().describe('The secret for an authenticator app, in base32'),
      uri: z.string().describe('The same as an `otpauth:` address, for a QR code'),
    })
    .meta({ id: 'SecondFactorSecret' }),
  failures: [409],
});

export const confirmSecondFactor = endpoint({
  route: 'POST /auth/totp/confirm',
  access: 'setting-up',
  sessionOnly: true,
  summary: 'Activate the second factor by a code of its secret',
  body: z.object({ code }).meta({ id: 'SecondFactorCode' }),
  response: z
    .object({
      recovery_codes: z
        .array(z.string())
        .describe('10 codes that each replace one code; shown this one time'),
      token,
    })
    .meta({ id: 'RecoveryCodes' }),
  failures: [409],
});

export const deleteSecondFactor = endpoint({
  route: 'DELETE /auth/totp',
  access: 'setting-up',
  sessionOnly: true,
  summary: "Remove the caller's second factor and its recovery codes; ends every other session",
  body: z.object({ password: z.string().min(1).max(1000) }).meta({ id: 'SecondFactorRemoval' }),
  response: messageAnswer.extend({ token }).meta({ id: 'SecondFactorRemoved' }),
  failures: [404, 429],
});

export const answerSecondFactor = endpoint({
  route: 'POST /auth/second-factor',
  access: 'public',
  summary: 'Complete a sign-in by a code of the second factor, or a recovery code',
  body: z.object({ challenge: z.string().min(1).max(200), code }).meta({ id: 'SecondFactorAnswer' }),
  response: session,
  failures: [401, 429],
});
