import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/runtime/config.ts';

/**
 * Logs one warning if requests come through a reverse proxy and TRUST_PROXY is unset, because then all callers count as
 * one address and share its rate limits.
 */
export function warnOfUntrustedProxy(app: FastifyInstance, { TRUST_PROXY }: Config): void {
  if (TRUST_PROXY) return;
  let warned = false;
  app.addHook('onRequest', async (request) => {
    if (warned || request.headers['x-forwarded-for'] === undefined) return;
    warned = true;
    request.log.warn(
      { address: request.ip },
      'X-Forwarded-For was sent, but TRUST_PROXY is unset: behind a reverse proxy all callers count as one address. Set TRUST_PROXY to the addresses of the proxy',
    );
  });
}
