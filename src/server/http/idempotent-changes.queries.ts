import { bytea, int8, jsonb, nullable, text } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

const change = { userId: int8, key: text };
const isChange = 'user_id = :userId AND key = :key';

export const deleteOldChanges = statement({
  text: `DELETE FROM idempotent_changes WHERE created_at < now() - interval '24 hours'`,
});

/**
 * Begins a change under a key. Waits while another transaction makes one under it.
 * @returns 1 if it is the first, otherwise 0
 */
export const insertChange = statement({
  text: `INSERT INTO idempotent_changes (user_id, key, input_hash) VALUES (:userId, :key, :inputHash)
     ON CONFLICT DO NOTHING`,
  params: { ...change, inputHash: bytea },
});

export const storeChangeAnswer = statement({
  text: `UPDATE idempotent_changes SET answer = :answer WHERE ${isChange}`,
  params: { ...change, answer: nullable(jsonb<unknown>()) },
});

export const findFirstChange = statement({
  text: `SELECT input_hash, answer FROM idempotent_changes WHERE ${isChange}`,
  params: change,
  row: { input_hash: bytea, answer: nullable(jsonb<unknown>()) },
});
