/**
 * The calls that need no session. Every other one is not sent without a token: a screen that still asks while its
 * session ends could only be refused.
 */
export const openCalls: ReadonlySet<string> = new Set([
  'POST /auth/login',
  'POST /auth/forgot-password',
  'GET /auth/verify-reset-token/{token}',
  'POST /auth/reset-password',
]);
