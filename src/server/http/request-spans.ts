import { context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { startSpan } from '#server/monitoring/spans.ts';

/**
 * Starts a span for each request, with its route and status. The address of a request is no attribute, because it may
 * hold a secret. A trace never continues one of the caller, who could fill the operator's store otherwise.
 */
export function registerRequestSpans(app: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', async (request) => {
    const route = request.routeOptions.url ?? 'none';
    const attributes = { 'http.request.method': request.method, 'http.route': route };
    spans.set(request, startSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER, attributes }));
  });
  // Not earlier, because reading the body loses the active span.
  app.addHook('preHandler', (request, _, done) => {
    const span = spans.get(request);
    if (span) context.with(trace.setSpan(context.active(), span), done);
    else done();
  });
  app.addHook('onResponse', async (request, { statusCode }) => {
    const span = spans.get(request);
    span?.setAttribute('http.response.status_code', statusCode);
    if (statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  });
  app.addHook('onRequestAbort', async (request) => {
    spans.get(request)?.setStatus({ code: SpanStatusCode.ERROR, message: 'the connection ended' }).end();
  });
}
