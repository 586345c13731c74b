import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { endpoint } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import type { Context } from './context.ts';
import { AppError } from './errors.ts';
import { askDatabase } from './health.queries.ts';
import { route } from './route.ts';

const ok = z.object({ status: z.literal('ok') });

const live = endpoint({
  method: 'GET',
  path: '/health/live',
  access: 'public',
  summary: 'The process answers',
  response: ok,
});

const ready = endpoint({
  method: 'GET',
  path: '/health/ready',
  access: 'public',
  summary: 'The process and its database answer',
  response: ok,
});

/** Serves the two health calls, which need no token. */
export function registerHealth(app: FastifyInstance, context: Context): void {
  route(app, live, async () => ({ status: 'ok' as const }));
  route(app, ready, async () => {
    try {
      await askDatabase(context.db);
    } catch {
      throw new AppError(503, 'unavailable', (locale) => m.server_unavailable({}, { locale }));
    }
    return { status: 'ok' as const };
  });
}
