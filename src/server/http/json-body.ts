import type { FastifyInstance } from 'fastify';
import { m } from '#shared/texts/messages.js';
import { AppError, fill, unusableField } from './errors/errors.ts';
import { findText } from './find-text.ts';

/** Far more levels than any call has. Parsing takes eight times as long for a body of brackets alone. */
const deepestLevel = 32;

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

/** Returns whether a JSON text has too many levels, without parsing it. A text that is no JSON may be either. */
function isTooDeep(json: string): boolean {
  let level = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at];
    if (isInString && sign === '\\') at++;
    else if (sign === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (sign === '[' || sign === '{') level++;
    else if (sign === ']' || sign === '}') level--;
    if (level > deepestLevel) return true;
  }
  return false;
}
