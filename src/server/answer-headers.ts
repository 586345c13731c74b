import type { FastifyInstance, FastifyReply } from 'fastify';

/** What a page may load: the product's own files alone. Nobody frames it, and no element moves its addresses elsewhere. */
const page = {
  'default-src': "'self'",
  // Mantine writes style attributes and one style element for its theme variables.
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
  'base-uri': "'none'",
  'object-src': "'none'",
  'frame-ancestors': "'none'",
};

/** The policies that every answer states beside those of a page. */
const everywhere = {
  'font-src': "'self' https: data:",
  'form-action': "'self'",
  'script-src': "'self'",
  'script-src-attr': "'none'",
};

const writePolicy = (directives: Record<string, string>) =>
  Object.entries(directives)
    .map((directive) => directive.join(' '))
    .join('; ');

/** The policy of a page as the text of a header. */
export const pagePolicy = writePolicy(page);

/** What every answer says to browsers, whatever it answers. */
const plainHeaders = {
  'content-security-policy': writePolicy({ ...page, ...everywhere }),
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  // What browsers once had against it did harm of its own.
  'x-xss-protection': '0',
};

/** Browsers complain about these where there is no TLS, and the product is often served without it inside a company. */
const secureHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
};

/**
 * Devices, companies and tokens stay in no cache, neither a browser's nor one in between. An address can be written in
 * many ways, so that this is what every answer says; the web app's files, which tell nothing, say otherwise.
 */
const unkept = { 'cache-control': 'no-store' };

/**
 * Has every answer say what browsers and caches may do with it. The same words each time, so that they cost next to nothing.
 * @param secure whether people reach the product by TLS
 */
export function registerAnswerHeaders(app: FastifyInstance, secure: boolean): void {
  const headers = { ...plainHeaders, ...(secure && secureHeaders), ...unkept };
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

/** What an answer says that passes no hook. */
export const bareAnswerHeaders = {
  'content-security-policy': pagePolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  ...unkept,
};

/** What no route is found for, since its address cannot be read, passes no hook: its answer says the same by this. */
export function setAnswerHeaders(reply: FastifyReply): FastifyReply {
  return reply.headers(bareAnswerHeaders);
}
