import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '#server/db/db.ts';
import { holdLargeBody, usualBodyBytes } from '#server/uploads/hold-large-body.ts';
import { failure } from '#shared/answers.ts';
import {
  type Answer,
  type Body,
  type Endpoint,
  type Params,
  type Query,
  splitRoute,
} from '#shared/endpoint.ts';
import { groupFields } from '#shared/field-parameters.ts';
import { type Locale, localeOf } from '#shared/locale.ts';
import { allow } from './access.ts';
import type { Caller } from './caller.ts';
import { unusableField } from './errors/errors.ts';
import { answerConditionally } from './etag.ts';
import { runHeavyCall } from './heavy-reads.ts';
import { runAs } from './origin.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The connection pool of all calls except heavy ones. */
    db: Db;
  }
  interface FastifyRequest {
    caller: Caller | undefined;
    /** Set by a handler. Runs before the body is sent, but not if there is none (HEAD, 304). */
    beforeBody: (() => Promise<void>) | undefined;
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
}

/** The input of a handler: validated data, the caller (undefined only for public endpoints) and the language. */
export type Call<E extends Endpoint> = {
  params: Params<E>;
  query: Query<E>;
  body: Body<E>;
  caller: E['access'] extends 'public' ? Caller | undefined : Caller;
  locale: Locale;
  /** The connection pool of this call: one of heavy calls, or the common one. */
  db: Db;
  request: FastifyRequest;
  reply: FastifyReply;
};

/**
 * Registers an endpoint of a contract: checks access, validates the input, calls the handler, and serializes its result. The
 * handler of a 'file' endpoint sends the response itself and returns the reply.
 * @param name that of the endpoint's constant, and the call's in generated clients (operationId)
 */
export function route<N extends string, C extends Record<N, Endpoint>>(
  app: FastifyInstance,
  contract: C,
  name: N,
  handler: (call: Call<C[N]>) => Promise<Answer<C[N]> | FastifyReply>,
): void {
  const endpoint: Endpoint = contract[name];
  const { method, path } = splitRoute(endpoint);
  const status = endpoint.status ?? 200;
  const isFile = endpoint.response === 'file';
  app.route({
    method,
    // In Fastify's syntax: `:id` for `{id}`.
    url: `/api${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    config: { endpoint },
    ...(endpoint.access !== 'public' && { bodyLimit: endpoint.maxBodyBytes ?? usualBodyBytes }),
    // A HEAD request would create the whole file.
    exposeHeadRoute: method === 'GET' && !isFile,
    schema: {
      operationId: name,
      summary: endpoint.summary,
      tags: [path.split('/')[1] ?? ''],
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
    // Before the body is read and validated, so that a refused caller learns nothing else.
    onRequest: endpoint.maxBodyBytes === undefined ? allow : [allow, holdLargeBody],
    // Browsers and scripts send empty fields as `?status=`.
    preValidation: async (request) => {
      if (request.body !== undefined) await allow(request);
      request.query = leaveOutEmpty(request.query as Record<string, string | string[]>);
      refuseNul(request.query as Record<string, string | string[]>);
      request.query = groupFields(request.query as Record<string, string | string[]>);
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
        locale: localeOf(request.headers['accept-language']),
        request,
        reply,
      };
      const actor = caller ? { id: caller.id, email: caller.email } : null;
      const token = caller?.apiToken ? { id: caller.apiToken.id, name: caller.apiToken.name } : null;
      const answer = (db: Db) =>
        runAs({ actor, token, address: request.ip }, () => handler({ ...call, db } as Call<C[N]>));
      if (!isHeavy || !caller) return answer(app.db);
      const { readOnly = false } = endpoint;
      return runHeavyCall(app.heavyReads, { caller, isWrite: method !== 'GET', readOnly }, reply, answer);
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

function leaveOutEmpty(query: Record<string, string | string[]>): Record<string, string | string[]> {
  const entries = Object.entries(query).flatMap(([name, value]) => {
    const [first, ...more] = [value].flat().filter((one) => one !== '');
    return first === undefined ? [] : [[name, more.length === 0 ? first : [first, ...more]] as const];
  });
  return Object.fromEntries(entries);
}

/**
 * Refuses NUL characters, which PostgreSQL cannot store. In a download, PostgreSQL's error would come too late for a 400.
 * @throws AppError 400 naming the parameter
 */
function refuseNul(query: Record<string, string | string[]>): void {
  const parameter = Object.entries(query).find(([, value]) =>
    [value].flat().some((one) => one.includes('\0')),
  );
  if (!parameter) return;
  const [field] = parameter;
  throw unusableField(field);
}
