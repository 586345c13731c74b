import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Db, Queryable } from '#server/db/db.ts';
import { m } from '#shared/texts/messages.js';
import type { Caller } from './caller.ts';
import { changeAs } from './caller-rights.ts';
import { AppError, invalidField } from './errors/errors.ts';
import {
  deleteOldChanges,
  findFirstChange,
  insertChange,
  storeChangeAnswer,
} from './idempotent-changes.queries.ts';

/** Reads the Idempotency-Key of a request; null without one. @throws AppError 400 */
export function readKey({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const key = headers['idempotency-key'];
  if (key === undefined || key === '') return null;
  if (typeof key === 'string' && key.length <= 200) return key;
  throw invalidField('idempotency-key', m.server_key_form);
}

/** Returns the error for a key that was used for another request: 422. */
export function keyTaken(): AppError {
  return new AppError(422, 'idempotency_key_taken', m.server_key_taken);
}

/**
 * Runs a change as `changeAs`. With a key it runs once: a repeat within 24 hours gets the first answer, which is stored in
 * the transaction of the change. A change that fails stores nothing.
 * @param caller null for the product itself, which has no key
 * @param input the request, by which a repeat is told from another request under the same key
 * @throws AppError as `changeAs`; 422 if the key was used for another request
 */
export async function changeOnce<T>(
  db: Db,
  caller: Caller | null,
  { key, input }: { key: string | null; input: unknown },
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  if (key === null || caller === null) return changeAs(db, caller, work);
  const change = { userId: caller.id, key };
  const inputHash = createHash('sha256').update(JSON.stringify(input)).digest();
  await deleteOldChanges.run(db);
  return changeAs(db, caller, async (tx) => {
    if ((await insertChange.run(tx, { ...change, inputHash })) === 0) {
      const first = await findFirstChange.one(tx, change);
      if (!first.input_hash.equals(inputHash)) throw keyTaken();
      return first.answer as T;
    }
    const answer = await work(tx);
    await storeChangeAnswer.run(tx, { ...change, answer: answer ?? null });
    return answer;
  });
}
