import type { FastifyReply } from 'fastify';
import { hashBody, readTags, writeTag } from '#server/answer-tag.ts';
import { type Caller, scopeOf } from '#server/caller.ts';
import type { Db } from '#server/db.ts';
import type { Call } from '#server/route.ts';
import type { Answer, Endpoint } from '#shared/endpoint.ts';
import { findChanges } from './changes.queries.ts';

export { findChanges };

/** What was read, and the database's snapshot, taken before; without an answer where nothing changed. */
export type Reading<T> = {
  snapshot: string | null;
  answer: T | undefined;
  /** What stands between the brackets of `data`, as JSON, where the database wrote it: the answer's own is empty then. */
  listed?: string;
};

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
    const { snapshot, answer, listed } = await read(call, since?.snapshot ?? null);
    if (answer === undefined) {
      if (since) reply.header('etag', writeTag(question, since));
      return reply.status(304).send();
    }
    const body = Buffer.from(putInto(reply.serialize(answer as object) as string, listed));
    const tag = { snapshot: moves?.(answer, call) ? null : snapshot, body: hashBody(body) };
    reply.header('etag', writeTag(question, tag));
    if (known.some((one) => one.body === tag.body)) return reply.status(304).send();
    return reply.type('application/json; charset=utf-8').send(body);
  };
}

const emptyList = '{"data":[]';

/** An answer with its list filled in. */
function putInto(answer: string, listed: string | undefined): string {
  if (listed === undefined) return answer;
  if (!answer.startsWith(emptyList))
    throw new Error('an answer with a written list begins with an empty one');
  return `{"data":[${listed}]${answer.slice(emptyList.length)}`;
}
