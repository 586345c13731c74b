import type { FastifyInstance } from 'fastify';
import { m } from '#shared/texts/messages.js';
import { AppError } from './errors/errors.ts';

/**
 * Reads JSON bodies as Fastify does, but accepts a call without a body whose Content-Type is JSON, and refuses texts
 * with half a surrogate pair, which PostgreSQL cannot store as JSON.
 */
export function registerJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    if (text === '') return done(null, undefined);
    parse(request, text, (error, value) => {
      // UTF-8 has no surrogates, so that only an escape can bring one.
      const illFormed = !error && /\\u[dD][89a-fA-F]/.test(text) && hasIllFormedText(value);
      done(illFormed ? malformed() : error, value);
    });
  });
}

function hasIllFormedText(body: unknown): boolean {
  const left = [body];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' && !value.isWellFormed()) return true;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, one] of Object.entries(value)) left.push(key, one);
  }
  return false;
}

const malformed = () => new AppError(400, 'malformed', (locale) => m.server_malformed({}, { locale }));
