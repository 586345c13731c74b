import type { FastifyInstance } from 'fastify';
import { deepestLevel, isTooDeep } from '#shared/parse-json.ts';
import { m } from '#shared/texts/messages.js';
import { AppError, fill, unusableField } from './errors/errors.ts';
import { findText } from './find-text.ts';

/**
 * Reads JSON bodies as Fastify does, but accepts a call without a body whose Content-Type is JSON, and refuses deep nesting
 * and texts with half a surrogate pair, which PostgreSQL cannot store as JSON. No call takes text/plain, which Fastify would
 * read.
 */
export function registerJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    if (text === '') return done(null, undefined);
    if (isTooDeep(text)) {
      const message = fill(m.server_json_too_deep, { maximum: deepestLevel });
      return done(new AppError(400, 'malformed', message));
    }
    parse(request, text, (error, value) => {
      // UTF-8 has no surrogates, so only a `\u` escape can produce one.
      const hasSurrogates = !error && /\\u[dD][89a-fA-F]/.test(text);
      const field = hasSurrogates ? findText(value, (one) => !one.isWellFormed()) : undefined;
      done(field === undefined ? error : unusableField(field), value);
    });
  });
}
