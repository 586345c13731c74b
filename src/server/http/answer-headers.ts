import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** The content security policy: only the product's own files, no frames, no `<base>`. */
const pagePolicy = {
  'default-src': ["'self'"],
  // Mantine writes style attributes and one style element for its theme variables.
  'style-src': ["'self'", "'unsafe-inline'"],
  'font-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'base-uri': ["'none'"],
  'object-src': ["'none'"],
  'frame-ancestors': ["'none'"],
};

/**
 * Set on every response, because a check by path would miss other spellings of an address. The web app's files, which
 * contain no data, override it.
 */
const noStore = { 'cache-control': 'no-store' };

/**
 * Sets the security and cache headers of every response.
 * @param secure whether PUBLIC_URL uses TLS; without TLS browsers log warnings about some headers
 */
export async function registerAnswerHeaders(app: FastifyInstance, secure: boolean): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      directives: { ...pagePolicy, 'upgrade-insecure-requests': null },
    },
    crossOriginOpenerPolicy: secure,
    originAgentCluster: secure,
    strictTransportSecurity: secure && { maxAge: 31_536_000 }, // one year, in seconds
    xFrameOptions: { action: 'deny' },
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(noStore);
  });
}

/** The headers of responses that are sent without hooks. */
export const bareAnswerHeaders = {
  'content-security-policy': Object.entries(pagePolicy)
    .map(([directive, values]) => [directive, ...values].join(' '))
    .join(';'),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  ...noStore,
};

/** Sets the headers of a response to a request with a malformed address, for which no hook runs. */
export function setAnswerHeaders(reply: FastifyReply): FastifyReply {
  return reply.headers(bareAnswerHeaders);
}
