import type { FastifyReply } from 'fastify';
import { hashBody, readTags, writeTag } from '#server/answer-tag.ts';
import { type Caller, scopeOf } from '#server/caller.ts';
import type { Db } from '#server/db.ts';
import type { Call } from '#server/route.ts';
import type { Answer, Endpoint } from '#shared/endpoint.ts';
import { findChanges } from './changes.queries.ts';

/** What an answer about tickets depends on. */
type Facts<E extends Endpoint> = {
  /** The one ticket that it is about; without it all those in scope. */
  ticketNumber?(call: Call<E>): string | undefined;
  /** What it is made with besides the call and the database. */
  beside?(): string;
  /** Whether time alone may change it. */
  moves?(answer: Answer<E>, call: Call<E>): boolean;
};

type TaggedEndpoint = Endpoint & { access: 'signed-in' | 'superadmin'; tagged: true };

/**
 * A handler that answers 304 to who has the answer already. While no ticket in question was changed, nothing is read but
 * that; when one was, the answer is made and its bytes are compared.
 */
export function whileUnchanged<E extends TaggedEndpoint>(
  db: Db,
  read: (call: Call<E>) => Promise<Answer<E>>,
  { ticketNumber, beside, moves }: Facts<E> = {},
): (call: Call<E>) => Promise<FastifyReply> {
  return async (call) => {
    const { request, reply, locale } = call;
    const scope = scopeOf(call.caller as Caller);
    const question = [request.url, scope ?? '*', locale, beside?.()].join('\n');
    const known = readTags(request.headers['if-none-match'], question);
    const since = known.find(({ snapshot }) => snapshot !== null) ?? null;
    // Before the answer is read: what changes meanwhile is found the next time.
    const place = { scope, ticketNumber: ticketNumber?.(call) };
    const { snapshot, changed } = await findChanges(db, place, since?.snapshot ?? null);
    if (since && !changed) return reply.header('etag', writeTag(question, since)).status(304).send();
    const answer = await read(call);
    const text = reply.serialize(answer as object) as string;
    const tag = { snapshot: moves?.(answer, call) ? null : snapshot, body: hashBody(text) };
    reply.header('etag', writeTag(question, tag));
    if (known.some(({ body }) => body === tag.body)) return reply.status(304).send();
    return reply.type('application/json; charset=utf-8').send(text);
  };
}
