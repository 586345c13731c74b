import type { FastifyInstance } from 'fastify';
import { Gauge } from 'prom-client';
import { z } from 'zod';
import { singleFlight } from '#server/concurrency/single-flight.ts';
import { deadlines } from '#server/db/connection/open-db.ts';
import { openPool } from '#server/db/connection/open-pool.ts';
import { unavailable } from '#server/http/errors/errors.ts';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import { endpoint } from '#shared/endpoint.ts';
import { askDatabase } from './health.queries.ts';

const ok = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });

const live = endpoint({
  route: 'GET /health/live',
  access: 'public',
  summary: 'Check that the process answers',
  response: ok,
});

const ready = endpoint({
  route: 'GET /health/ready',
  access: 'public',
  summary: 'Check that the process and its database answer, and that the process is not about to end',
  response: ok,
});

/** Serves the two health calls and the metric of the database. Call it after `registerMetrics`. */
export function registerHealth(app: FastifyInstance, context: Context): void {
  // A separate connection, because busy pools do not mean that the database is down.
  const db = openPool(context, 1, deadlines.readiness);
  app.addHook('onClose', () => db.end());
  const askOnce = singleFlight(() => askDatabase.run(db));
  route(app, { live }, 'live', async () => ({ status: 'ok' as const }));
  route(app, { ready }, 'ready', async () => {
    if (!app.drain.isReady) throw unavailable();
    try {
      await askOnce();
    } catch {
      throw unavailable();
    }
    return { status: 'ok' as const };
  });
  new Gauge({
    name: 'coverdesk_database_up',
    help: 'Whether the database answers; without an answer, the metrics that are read from it are missing',
    registers: [app.metrics],
    async collect() {
      this.set(
        await askOnce().then(
          () => 1,
          () => 0,
        ),
      );
    },
  });
}
