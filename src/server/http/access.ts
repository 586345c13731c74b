import type { FastifyRequest } from 'fastify';
import { m } from '#shared/texts/messages.js';
import type { Caller } from './caller.ts';
import { AppError } from './errors/errors.ts';

/** Finds out who calls: undefined without a token; throws AppError 401 for a token that is not believed. */
export type Authenticate = (request: FastifyRequest) => Promise<Caller | undefined>;

declare module 'fastify' {
  interface FastifyInstance {
    authenticate: Authenticate;
  }
}

/**
 * Decides whether a request may reach its endpoint (docs/rules.md, Access), and notes on it who calls. Decides again
 * after a body, which may take an hour to arrive.
 * @throws AppError 401 not signed in, 403 password change due or wrong role
 */
export async function allow(request: FastifyRequest): Promise<void> {
  const { endpoint } = request.routeOptions.config;
  if (!endpoint || endpoint.access === 'public') return;
  const caller = await request.server.authenticate(request);
  // Also of a call that is refused, the log names who made it.
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
  if (endpoint.access === 'standard' && caller.superadmin) {
    throw new AppError(403, 'standard_only', (locale) => m.server_standard_only({}, { locale }));
  }
}
