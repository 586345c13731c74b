import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '#server/db/db.ts';
import { failure } from '#shared/answers.ts';
import type { Access, Answer, Body, Endpoint, Params, Query } from '#shared/endpoint.ts';
import { type Locale, localeOf } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';
import { allow } from './access.ts';
import type { Caller } from './caller.ts';
import { invalidField } from './errors/errors.ts';
import { answerConditionally } from './etag.ts';
import { runHeavyRead } from './heavy-reads.ts';
import { runFor } from './origin.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Everybody's connections. */
    db: Db;
  }
  interface FastifyRequest {
    caller: Caller | undefined;
    /** Left by a handler: runs before the body is sent, and not if there is none (HEAD, 304). */
    beforeBody: (() => Promise<void>) | undefined;
  }
  interface FastifyContextConfig {
    access?: Access;
    endpoint?: Endpoint;
  }
}

/** What a handler is given: validated input, the caller (undefined only on public calls) and the caller's language. */
export type Call<E extends Endpoint> = {
  params: Params<E>;
  query: Query<E>;
  body: Body<E>;
  caller: E['access'] extends 'public' ? Caller | undefined : Caller;
  locale: Locale;
  /** The connections for this call: those of heavy reads, or everybody's. */
  db: Db;
  request: FastifyRequest;
  reply: FastifyReply;
};

/** `/tickets/{id}` below /api, in Fastify's spelling. */
function pathOf(endpoint: Endpoint): string {
  return `/api${endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
}

/**
 * Serves one endpoint: checks who calls, validates the input, calls the handler, checks and sends its answer.
 * A handler of a 'file' endpoint sends by `reply` itself and answers the reply.
 */
export function route<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (call: Call<E>) => Promise<Answer<E> | FastifyReply>,
): void {
  const status = endpoint.status ?? 200;
  const isFile = endpoint.response === 'file';
  app.route({
    method: endpoint.method,
    url: pathOf(endpoint),
    config: { access: endpoint.access, endpoint },
    // Who asks only for the head of a file would have the whole file made.
    exposeHeadRoute: endpoint.method === 'GET' && !isFile,
    schema: {
      summary: endpoint.summary,
      tags: [endpoint.path.split('/')[1] ?? ''],
      security: endpoint.access === 'public' ? [] : [{ bearer: [] }],
      ...(endpoint.params && { params: endpoint.params }),
      ...(endpoint.query && { querystring: endpoint.query }),
      ...(endpoint.body && !endpoint.file && { body: endpoint.body }),
      ...(endpoint.file && { consumes: ['multipart/form-data'] }),
      response: {
        ...(!isFile && { [status]: endpoint.response }),
        '4xx': failure,
        '5xx': failure,
      },
    },
    // Before the body is read: a caller who may not call learns nothing else.
    onRequest: allow,
    // Browsers and scripts write what was left out as `?status=`.
    preValidation: async (request) => {
      if (request.body !== undefined) await allow(request);
      request.query = leaveOutEmpty(request.query as Record<string, string | string[]>);
      refuseNul(request.query as Record<string, string | string[]>);
    },
    onSend: endpoint.tagged ? [answerConditionally, runBeforeBody] : runBeforeBody,
    handler: async (request, reply) => {
      reply.status(status);
      const { caller } = request;
      const isHeavy = endpoint.heavy?.(request.query as Record<string, unknown>) ?? false;
      const call = {
        params: request.params,
        query: request.query,
        body: request.body,
        caller,
        db: isHeavy ? app.heavyReads.db : app.db,
        locale: localeOf(request.headers['accept-language']),
        request,
        reply,
      } as Call<E>;
      const actor = caller ? { id: caller.id, email: caller.email } : null;
      const answer = () => runFor({ actor, address: request.ip }, () => handler(call));
      return isHeavy && caller ? runHeavyRead(app.heavyReads, caller, reply, answer) : answer();
    },
  });
}

async function runBeforeBody(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (request.method !== 'HEAD' && reply.statusCode < 300) await request.beforeBody?.();
  return payload;
}

/** A query without its empty parameters. */
function leaveOutEmpty(query: Record<string, string | string[]>): Record<string, string | string[]> {
  const left: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(query)) {
    const [first, ...more] = [value].flat().filter((one) => one !== '');
    if (first !== undefined) left[name] = more.length === 0 ? first : [first, ...more];
  }
  return left;
}

/**
 * PostgreSQL stores no NUL character, so no value has one; its own refusal would be a failure in the thread of a download.
 * @throws AppError 400 that names the parameter
 */
function refuseNul(query: Record<string, string | string[]>): void {
  const found = Object.entries(query).find(([, value]) => [value].flat().some((one) => one.includes('\0')));
  if (!found) return;
  const [field] = found;
  throw invalidField(field, (locale) => m.server_field_invalid({ field }, { locale }));
}
