import type { FastifyInstance } from 'fastify';
import { createAuthenticate } from '#features/accounts/server/authenticate.service.ts';
import type { Context } from '#server/context.ts';

/** Every feature's calls, in one list. */
export async function registerFeatures(app: FastifyInstance, context: Context): Promise<void> {
  app.decorate('authenticate', createAuthenticate(context));
}
