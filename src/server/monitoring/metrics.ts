import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { deadlines } from '#server/db/connection/open-db.ts';
import { openPool } from '#server/db/connection/open-pool.ts';
import type { Db } from '#server/db/db.ts';
import { canonicalAddress, isLoopbackAddress } from '#server/egress/ip-address.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Registry;
    /** The connections of metrics. They give up early, and a scrape takes none that a caller waits for. */
    metricsDb: Db;
  }
}

/** The sampling interval of the event-loop lag. With the default of 10 ms, an idle API does little else. */
const loopLagMs = 250;
const maxConnections = 2;

/** Headers that a reverse proxy sets. */
const forwardedHeaders = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
];

/**
 * Serves `/metrics` for Prometheus: metrics of the process, and response times by route. Call it before the routes are
 * registered.
 */
export function registerMetrics(app: FastifyInstance, context: Context): void {
  const registry = new Registry();
  const db = openPool(context, maxConnections, deadlines.readiness);
  app.addHook('onClose', () => db.end());
  app.decorate('metrics', registry);
  app.decorate('metricsDb', db);
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: loopLagMs });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    // The route, because paths contain identifiers and would give unlimited labels.
    const route = request.routeOptions.url ?? 'none';
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
  });
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    const token = context.config.METRICS_TOKEN;
    // A reverse proxy on this machine may set no header, so a configured token is always required.
    if (!(token ? hasToken(request, token) : isLocal(request))) {
      throw new AppError(token ? 401 : 403, 'metrics_refused', m.server_metrics_refused);
    }
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** Returns whether a request comes from this machine. A forwarded request does not. */
function isLocal(request: FastifyRequest): boolean {
  if (forwardedHeaders.some((name) => request.headers[name] !== undefined)) return false;
  const address = canonicalAddress(request.raw.socket.remoteAddress ?? '');
  return address !== undefined && isLoopbackAddress(address);
}

function hasToken(request: FastifyRequest, token: string): boolean {
  const bearerToken = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (bearerToken === undefined) return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(bearerToken), digest(token));
}
