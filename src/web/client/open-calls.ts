/** Calls that need no session. Without a token no other call is sent: a screen may still ask while its session ends. */
export const openCalls: ReadonlySet<string> = new Set([
  'POST /auth/login',
  'POST /auth/second-factor',
  'GET /auth/options',
  'POST /auth/oidc/token',
  'POST /auth/forgot-password',
  'GET /auth/verify-reset-token/{token}',
  'POST /auth/reset-password',
  'GET /auth/verify-invitation/{token}',
  'POST /invitations/accept',
  'GET /unsubscribe/{token}',
  'POST /unsubscribe/{token}',
  'GET /subscribe/{token}',
  'POST /subscribe/{token}',
]);
