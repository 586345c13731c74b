import type { FastifyReply } from 'fastify';
import { hashBody, readTags, writeTag } from '#server/answer-tag.ts';
import { type Caller, scopeOf } from '#server/caller.ts';
import type { Db } from '#server/db.ts';
import { readTogether } from '#server/read-together.ts';
import type { Call } from '#server/route.ts';
import { shareReadings } from '#server/share-reading.ts';
import type { Answer, Endpoint } from '#shared/endpoint.ts';
import { type ChangeQuestion, type FoundChanges, findChanges } from './changes.queries.ts';

/** Looks for changes since an answer that is known. */
export type LookForChanges = (question: ChangeQuestion) => Promise<FoundChanges>;

const looks = new WeakMap<Db, LookForChanges>();

/** How one process looks for changes: for polls that come at the same time, of whomever and whatever, together. */
export function lookForChangesIn(db: Db): LookForChanges {
  const look =
    looks.get(db) ??
    readTogether(
      ({ scope, ticketNumber, since }) => `${ticketNumber ?? '*'}\n${scope ?? '*'}\n${since ?? '*'}`,
      (questions) => findChanges(db, questions),
    );
  looks.set(db, look);
  return look;
}

/** What was read, and the database's snapshot, taken before; without an answer where nothing changed. */
export type Reading<T> = {
  snapshot: string | null;
  answer: T | undefined;
  /** What stands between the brackets of `data`, as JSON, where the database wrote it: the answer's own is empty then. */
  listed?: string;
};

/** Reads what tickets show unless none of them changed. */
export async function readIfChanged<T>(
  look: LookForChanges,
  question: ChangeQuestion,
  read: () => Promise<T>,
): Promise<Reading<T>> {
  // Before the answer is read: what changes meanwhile is found the next time.
  const { snapshot, changed } = await look(question);
  return { snapshot, answer: changed ? await read() : undefined };
}

/** What an answer depends on besides the call and the database. */
type Facts<E extends Endpoint> = {
  beside?(): string;
  /** Whether time alone may change it. */
  moves?(answer: Answer<E>, call: Call<E>): boolean;
};

type TaggedEndpoint = Endpoint & { access: 'signed-in' | 'superadmin'; tagged: true };

/** Has what is the same for all who ask the same question at once be read, and written, once. */
export type Share = <T extends object>(read: () => Promise<T>) => Promise<T>;

/**
 * A handler that answers 304 to who has the answer already.
 * @param read is told the snapshot of the answer that the caller has; where it answers nonetheless, the bytes are compared
 */
export function whileUnchanged<E extends TaggedEndpoint>(
  read: (call: Call<E>, since: string | null, share: Share) => Promise<Reading<Answer<E>>>,
  { beside, moves }: Facts<E> = {},
): (call: Call<E>) => Promise<FastifyReply> {
  const shareByQuestion = shareReadings<object>();
  const written = new WeakMap<object, { body: Buffer; hash: string }>();
  const write = ({ reply }: Call<E>, answer: object, listed: string | undefined) => {
    const known = written.get(answer);
    if (known) return known;
    const body = Buffer.from(putInto(reply.serialize(answer) as string, listed));
    const made = { body, hash: hashBody(body) };
    written.set(answer, made);
    return made;
  };
  return async (call) => {
    const { request, reply, locale } = call;
    const scope = scopeOf(call.caller as Caller);
    const question = [request.url, scope ?? '*', locale, beside?.()].join('\n');
    const known = readTags(request.headers['if-none-match'], question);
    const since = known.find((tag) => tag.snapshot !== null);
    const share: Share = <T extends object>(readOnce: () => Promise<T>) =>
      shareByQuestion(question, readOnce) as Promise<T>;
    const { snapshot, answer, listed } = await read(call, since?.snapshot ?? null, share);
    if (answer === undefined) {
      if (since) reply.header('etag', writeTag(question, since));
      return reply.status(304).send();
    }
    const { body, hash } = write(call, answer as object, listed);
    const tag = { snapshot: moves?.(answer, call) ? null : snapshot, body: hash };
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
