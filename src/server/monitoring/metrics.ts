import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { canonicalAddress, isLoopbackAddress } from '#server/egress/ip-address.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Where features register their own metrics. */
    metrics: Registry;
  }
}

/** Sampling interval of the event-loop lag: at 10 ms, the default, sampling is most of what an idle API does. */
const loopWatchMs = 250;

/** Headers by which a reverse proxy says that it forwards. */
const forwardedHeaders = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
];

/**
 * Serves `/metrics` for Prometheus: the process, and the time of every answer by its route. Call it before the routes
 * whose answers it measures.
 */
export function registerMetrics(app: FastifyInstance, { config }: Context): void {
  const registry = new Registry();
  app.decorate('metrics', registry);
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: loopWatchMs });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    // The route and not the path: paths carry identifiers without end.
    const route = request.routeOptions.url ?? 'none';
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
  });
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    const token = config.METRICS_TOKEN;
    // A reverse proxy on this machine need not say that it forwards: only a token tells its callers apart.
    if (!(token ? hasToken(request, token) : isLocal(request))) {
      throw new AppError(token ? 401 : 403, 'metrics_refused', (locale) =>
        m.server_metrics_refused({}, { locale }),
      );
    }
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** Whether a request comes from this machine itself; one that was forwarded never does. */
function isLocal(request: FastifyRequest): boolean {
  if (forwardedHeaders.some((name) => request.headers[name] !== undefined)) return false;
  const address = canonicalAddress(request.raw.socket.remoteAddress ?? '');
  return address !== undefined && isLoopbackAddress(address);
}

function hasToken(request: FastifyRequest, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (given === undefined) return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
