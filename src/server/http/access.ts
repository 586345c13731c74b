import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import type { Caller } from './caller.ts';
import { AppError } from './errors/errors.ts';

/** Returns the caller of a request; undefined without a token. Throws AppError 401 for an invalid token. */
export type Authenticate = (request: FastifyRequest) => Promise<Caller | undefined>;

declare module 'fastify' {
  interface FastifyInstance {
    authenticate: Authenticate;
  }
}

/**
 * Checks that the caller may use the endpoint (docs/rules.md, Access), and sets `request.caller`. Called before the body
 * and again after it, because a body may take an hour to arrive.
 * @throws AppError 401 if not signed in, 403 for a due password change or second factor, a wrong role or a call closed to
 * the API token
 */
export async function allow(request: FastifyRequest): Promise<void> {
  const { endpoint } = request.routeOptions.config;
  if (!endpoint || endpoint.access === 'public') return;
  const caller = await request.server.authenticate(request);
  // Before the checks, so that the log names the caller of a refused call, too.
  request.caller = caller;
  if (!caller) throw new AppError(401, 'not_signed_in', m.server_not_signed_in);
  if (caller.newUser && endpoint.access !== 'new-user') {
    throw new AppError(403, 'password_change_required', m.server_password_change_required);
  }
  if (caller.secondFactorDue && endpoint.access !== 'new-user' && endpoint.access !== 'setting-up') {
    throw new AppError(403, 'second_factor_required', m.server_second_factor_required);
  }
  if (endpoint.access === 'superadmin' && !caller.superadmin) {
    throw new AppError(403, 'superadmin_only', endpoint.refusal ?? m.server_superadmin_only);
  }
  if (endpoint.access === 'admin' && caller.role === 'user') {
    throw new AppError(403, 'admin_only', m.server_admin_only);
  }
  if (endpoint.access === 'standard' && caller.superadmin) {
    throw new AppError(403, 'standard_only', m.server_standard_only);
  }
  if (caller.apiToken) requireTokenRights(endpoint, caller.apiToken.scope);
}

/** @throws AppError 403 for a call that needs a session, or that changes something when the token may only read */
function requireTokenRights(endpoint: Endpoint, scope: 'read' | 'write'): void {
  if (endpoint.sessionOnly) {
    throw new AppError(403, 'session_only', m.server_session_only);
  }
  if (scope === 'read' && !endpoint.route.startsWith('GET ') && !endpoint.changesNothing) {
    throw new AppError(403, 'token_reads_only', m.server_token_reads_only);
  }
}
