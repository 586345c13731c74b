import type { Queryable } from '#server/db.ts';
import type { IndexedDevice } from './apple-coverage.ts';

/** How long a worker that builds an index keeps it to itself without a sign of life. */
const leaseSeconds = 90;

/** What the index of an organisation knows of an identifier; `fresh`: it was completed within a day. */
export async function findDevice(
  db: Queryable,
  account: string,
  identifier: string,
): Promise<{ fresh: boolean; device: IndexedDevice | undefined }> {
  const { rows } = await db.query<{ fresh: boolean; device: IndexedDevice | null }>(
    `SELECT COALESCE(i.completed_at > clock_timestamp() - interval '1 day', false) AS fresh,
       CASE WHEN d.device_id IS NOT NULL
         THEN json_build_object('deviceId', d.device_id, 'model', d.model, 'ordered', d.ordered) END AS device
     FROM (SELECT 1) AS one LEFT JOIN apple_indexes i ON i.account = $1
     LEFT JOIN apple_devices d ON d.account = $1 AND d.identifier = $2`,
    [account, identifier],
  );
  return { fresh: rows[0]?.fresh ?? false, device: rows[0]?.device ?? undefined };
}

/** The job of building an index: which one it is, and the page to go on with. */
export type Building = { generation: number; page: string | null };

/**
 * Takes the job of building an index that is older than a day, unless another worker has it.
 * @returns 'fresh' where there is nothing to do
 */
export async function claimIndex(
  db: Queryable,
  account: string,
  builder: string,
): Promise<Building | 'fresh' | 'taken'> {
  await db.query('INSERT INTO apple_indexes (account) VALUES ($1) ON CONFLICT DO NOTHING', [account]);
  const { rows } = await db.query<Building>(
    `UPDATE apple_indexes
     SET builder = $2, builder_until = clock_timestamp() + $3 * interval '1 second'
     WHERE account = $1 AND (builder_until IS NULL OR builder_until < clock_timestamp() OR builder = $2)
       AND (completed_at IS NULL OR completed_at < clock_timestamp() - interval '1 day')
     RETURNING generation + 1 AS generation, next_page AS page`,
    [account, builder, leaseSeconds],
  );
  if (rows[0]) return rows[0];
  return (await findDevice(db, account, '')).fresh ? 'fresh' : 'taken';
}

/**
 * Says that a builder goes on, from which page and, when it waits, after how many seconds.
 * @returns whether the job is still its own; locked until the transaction ends
 */
export async function keepClaim(
  tx: Queryable,
  account: string,
  builder: string,
  { page, waitSeconds = 0 }: { page: string | null; waitSeconds?: number },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE apple_indexes
     SET next_page = $3, builder_until = clock_timestamp() + $4 * interval '1 second'
     WHERE account = $1 AND builder = $2 AND builder_until > clock_timestamp()`,
    [account, builder, page, leaseSeconds + waitSeconds],
  );
  return rowCount === 1;
}

/** Lets another worker go on at once. */
export async function releaseClaim(db: Queryable, account: string, builder: string): Promise<void> {
  await db.query(
    'UPDATE apple_indexes SET builder = NULL, builder_until = NULL WHERE account = $1 AND builder = $2',
    [account, builder],
  );
}

/** Puts identifiers into an index; each at most once in one call. */
export async function saveDevices(
  tx: Queryable,
  account: string,
  generation: number,
  devices: (IndexedDevice & { identifier: string })[],
): Promise<void> {
  await tx.query(
    `INSERT INTO apple_devices (account, identifier, generation, device_id, model, ordered)
     SELECT $1, d.identifier, $2, d."deviceId", d.model, d.ordered
     FROM jsonb_to_recordset($3) AS d(identifier text, "deviceId" text, model text, ordered text)
     ON CONFLICT (account, identifier) DO UPDATE SET generation = EXCLUDED.generation,
       device_id = EXCLUDED.device_id, model = EXCLUDED.model, ordered = EXCLUDED.ordered`,
    [account, generation, JSON.stringify(devices)],
  );
}

/** Makes an index the present one and forgets the devices that are no longer in it. */
export async function completeIndex(tx: Queryable, account: string, generation: number): Promise<void> {
  await tx.query('DELETE FROM apple_devices WHERE account = $1 AND generation < $2', [account, generation]);
  await tx.query(
    `UPDATE apple_indexes SET generation = $2, completed_at = clock_timestamp(), next_page = NULL, builder = NULL,
       builder_until = NULL
     WHERE account = $1`,
    [account, generation],
  );
}
