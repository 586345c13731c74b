import { bool, float8, int4, jsonb, nullable, type RowOf, text, uuid } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { hasCome } from '#server/db/has-come.ts';
import { statement } from '#server/db/statement.ts';
import type { IndexedDevice } from './apple-coverage.ts';

/**
 * The lease of a worker that builds an index, in seconds. Longer than a page may take: 60 s for its request and 90 s
 * for its token, both twice if Apple refuses the first token.
 */
const leaseSeconds = 330;
/** The longest wait before a page is requested again. */
export const maxRetryWaitMs = 300_000;

const find = statement({
  name: 'find-apple-device',
  text: `SELECT COALESCE(i.completed_at BETWEEN clock_timestamp() - interval '1 day' AND clock_timestamp(), false) AS fresh,
       CASE WHEN d.device_id IS NOT NULL
         THEN jsonb_build_object('deviceId', d.device_id, 'model', d.model, 'ordered', d.ordered) END AS device
     FROM (SELECT 1) AS one LEFT JOIN apple_indexes i ON i.account = :account
     LEFT JOIN apple_devices d ON d.account = :account AND d.identifier = :identifier`,
  params: { account: text, identifier: text },
  row: { fresh: bool, device: nullable(jsonb<IndexedDevice>()) },
});

/** Returns the indexed device of an identifier. `fresh`: the index was completed within a day. */
export async function findDevice(
  db: Queryable,
  account: string,
  identifier: string,
): Promise<{ fresh: boolean; device: IndexedDevice | undefined }> {
  const { fresh, device } = await find.one(db, { account, identifier });
  return { fresh, device: device ?? undefined };
}

const insert = statement({
  text: 'INSERT INTO apple_indexes (account) VALUES (:account) ON CONFLICT DO NOTHING',
  params: { account: text },
});

const lease = statement({
  text: `UPDATE apple_indexes
     SET builder = :builder, builder_until = clock_timestamp() + :leaseSeconds * interval '1 second'
     WHERE account = :account
       AND (builder_until IS NULL OR ${hasCome('builder_until', leaseSeconds + maxRetryWaitMs / 1000)} OR builder = :builder)
       AND (completed_at BETWEEN clock_timestamp() - interval '1 day' AND clock_timestamp()) IS NOT TRUE
     RETURNING generation + 1 AS generation, next_page AS page`,
  params: { account: text, builder: uuid, leaseSeconds: float8 },
  row: { generation: int4, page: nullable(text) },
});

/** The work of building an index: its generation, and the next page. */
export type IndexBuild = RowOf<typeof lease.row>;

/**
 * Takes the lease to build an index that is older than a day, unless another worker has it.
 * @returns 'fresh' if there is nothing to do
 */
export async function leaseIndex(
  db: Queryable,
  account: string,
  builder: string,
): Promise<IndexBuild | 'fresh' | 'taken'> {
  await insert.run(db, { account });
  const row = await lease.first(db, { account, builder, leaseSeconds });
  if (row) return row;
  return (await findDevice(db, account, '')).fresh ? 'fresh' : 'taken';
}

const keep = statement({
  text: `UPDATE apple_indexes
     SET next_page = :page, builder_until = clock_timestamp() + :leaseSeconds * interval '1 second'
     WHERE account = :account AND builder = :builder AND builder_until > clock_timestamp()`,
  params: { account: text, builder: uuid, page: nullable(text), leaseSeconds: float8 },
});

/**
 * Extends the lease, and stores the next page and the wait before it.
 * @returns whether this worker still has the lease; the row stays locked until the transaction ends
 */
export async function extendIndexLease(
  tx: Queryable,
  account: string,
  builder: string,
  { page, waitSeconds = 0 }: { page: string | null; waitSeconds?: number },
): Promise<boolean> {
  return (await keep.run(tx, { account, builder, page, leaseSeconds: leaseSeconds + waitSeconds })) === 1;
}

/** Releases the lease, so that another worker can continue at once. */
export const giveBackIndexLease = statement({
  text: 'UPDATE apple_indexes SET builder = NULL, builder_until = NULL WHERE account = :account AND builder = :builder',
  params: { account: text, builder: uuid },
});

/** Adds identifiers to an index. Each may occur once per call. */
export const storeDevices = statement({
  text: `INSERT INTO apple_devices (account, identifier, generation, device_id, model, ordered)
     SELECT :account, d.identifier, :generation, d."deviceId", d.model, d.ordered
     FROM jsonb_to_recordset(:devices) AS d(identifier text, "deviceId" text, model text, ordered text)
     ON CONFLICT (account, identifier) DO UPDATE SET generation = EXCLUDED.generation,
       device_id = EXCLUDED.device_id, model = EXCLUDED.model, ordered = EXCLUDED.ordered`,
  params: { account: text, generation: int4, devices: jsonb<object[]>() },
});

const deleteOld = statement({
  text: 'DELETE FROM apple_devices WHERE account = :account AND generation < :generation',
  params: { account: text, generation: int4 },
});

const complete = statement({
  text: `UPDATE apple_indexes SET generation = :generation, completed_at = clock_timestamp(), next_page = NULL, builder = NULL,
       builder_until = NULL
     WHERE account = :account`,
  params: { account: text, generation: int4 },
});

/** Completes an index, and deletes the devices that are no longer in it. */
export async function completeIndex(tx: Queryable, account: string, generation: number): Promise<void> {
  await deleteOld.run(tx, { account, generation });
  await complete.run(tx, { account, generation });
}
