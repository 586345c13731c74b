import type { FastifyReply } from 'fastify';
import { hashBody, readTags, writeTag } from '#server/answer-tag.ts';
import { type Caller, scopeOf } from '#server/caller.ts';
import type { Db } from '#server/db.ts';
import { ticketNotFound } from '#server/errors.ts';
import type { Call } from '#server/route.ts';
import type { Answer, Endpoint } from '#shared/endpoint.ts';
import { findChanges } from './changes.queries.ts';
import { findTicketWithSnapshot, type TicketRow } from './tickets.queries.ts';

/** What was read, and the database's snapshot, taken before; without an answer where nothing changed. */
export type Reading<T> = { snapshot: string | null; answer: T | undefined };

/**
 * Reads what tickets show unless none of them changed.
 * @param place whose tickets, or which one, it is about
 * @param since the snapshot of an earlier answer
 */
export async function readIfChanged<T>(
  db: Db,
  place: Parameters<typeof findChanges>[1],
  since: string | null,
  read: () => Promise<T>,
): Promise<Reading<T>> {
  // Before the answer is read: what changes meanwhile is found the next time.
  const { snapshot, changed } = await findChanges(db, place, since);
  return { snapshot, answer: changed ? await read() : undefined };
}

/**
 * Reads what one ticket shows unless it did not change; for the first time the ticket comes with the snapshot.
 * @param since the snapshot of an earlier answer
 * @throws AppError 404 when it is not in the caller's scope
 */
export async function readTicketIfChanged<T>(
  db: Db,
  caller: Caller,
  ticketNumber: string,
  since: string | null,
  read: (ticket: TicketRow) => Promise<T>,
): Promise<Reading<T>> {
  const scope = scopeOf(caller);
  if (since !== null) {
    const { snapshot, changed } = await findChanges(db, { scope, ticketNumber }, since);
    if (!changed) return { snapshot, answer: undefined };
  }
  const ticket = await findTicketWithSnapshot(db, Number(ticketNumber), scope);
  if (!ticket) throw ticketNotFound();
  return { snapshot: ticket.snapshot, answer: await read(ticket) };
}

/** What an answer depends on besides the call and the database. */
type Facts<E extends Endpoint> = {
  beside?(): string;
  /** Whether time alone may change it. */
  moves?(answer: Answer<E>, call: Call<E>): boolean;
};

type TaggedEndpoint = Endpoint & { access: 'signed-in' | 'superadmin'; tagged: true };

/**
 * A handler that answers 304 to who has the answer already.
 * @param read is told the snapshot of the answer that the caller has; where it answers nonetheless, the bytes are compared
 */
export function whileUnchanged<E extends TaggedEndpoint>(
  read: (call: Call<E>, since: string | null) => Promise<Reading<Answer<E>>>,
  { beside, moves }: Facts<E> = {},
): (call: Call<E>) => Promise<FastifyReply> {
  return async (call) => {
    const { request, reply, locale } = call;
    const scope = scopeOf(call.caller as Caller);
    const question = [request.url, scope ?? '*', locale, beside?.()].join('\n');
    const known = readTags(request.headers['if-none-match'], question);
    const since = known.find((tag) => tag.snapshot !== null);
    const { snapshot, answer } = await read(call, since?.snapshot ?? null);
    if (answer === undefined) {
      if (since) reply.header('etag', writeTag(question, since));
      return reply.status(304).send();
    }
    const text = reply.serialize(answer as object) as string;
    const tag = { snapshot: moves?.(answer, call) ? null : snapshot, body: hashBody(text) };
    reply.header('etag', writeTag(question, tag));
    if (known.some(({ body }) => body === tag.body)) return reply.status(304).send();
    return reply.type('application/json; charset=utf-8').send(text);
  };
}
