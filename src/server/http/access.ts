import type { FastifyRequest } from 'fastify';
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
 * @throws AppError 401 if not signed in, 403 for a due password change or a wrong role
 */
export async function allow(request: FastifyRequest): Promise<void> {
  const { endpoint } = request.routeOptions.config;
  if (!endpoint || endpoint.access === 'public') return;
  const caller = await request.server.authenticate(request);
  // Before the checks, so that the log names the caller of a refused call, too.
  request.caller = caller;
  if (!caller) throw new AppError(401, 'not_signed_in', (locale) => m.server_not_signed_in({}, { locale }));
  if (caller.newUser && endpoint.access !== 'new-user') {
    throw new AppError(403, 'password_change_required', (locale) =>
      m.server_password_change_required({}, { locale }),
    );
  }
  if (endpoint.access === 'superadmin' && !caller.superadmin) {
    throw new AppError(
      403,
      'superadmin_only',
      endpoint.refusal ?? ((locale) => m.server_superadmin_only({}, { locale })),
    );
  }
  if (endpoint.access === 'admin' && caller.role === 'user') {
    throw new AppError(403, 'admin_only', (locale) => m.server_admin_only({}, { locale }));
  }
  if (endpoint.access === 'standard' && caller.superadmin) {
    throw new AppError(403, 'standard_only', (locale) => m.server_standard_only({}, { locale }));
  }
}
