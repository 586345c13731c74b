import { randomUUID } from 'node:crypto';
import { type Db, inTransaction } from '#server/db/db.ts';
import { type Caller, shareOf } from '#server/http/caller.ts';
import {
  deleteShare,
  leaseMs,
  lockShareTotals,
  type ShareTotals,
  storeShare,
} from './held-shares.queries.ts';

/** The user and company whose share is used. */
export type ShareUser = Pick<Caller, 'id' | 'companyCode' | 'superadmin'>;

/** The most that may be held of a kind. */
export type Bounds = ShareTotals;

/** Releases a share. Never fails: a share that cannot be deleted expires. */
export type Release = () => Promise<void>;

/**
 * Takes a share of a kind of costly work, counted over all API processes. It is renewed until it is released, and ends
 * with its process.
 * @returns a function that releases it, or the first bound that it would exceed
 */
export async function holdShare(
  db: Db,
  kind: string,
  user: ShareUser,
  amount: number,
  bounds: Bounds,
): Promise<Release | keyof Bounds> {
  const company = shareOf(user);
  const share = { id: randomUUID(), kind, userId: user.id, company, amount };
  const exceeded = await inTransaction(db, async (tx) => {
    const totals = await lockShareTotals(tx, kind, company, user.id);
    const order = ['own', 'company', 'everybody'] as const;
    const bound = order.find((name) => totals[name] + amount > bounds[name]);
    if (!bound) await storeShare.run(tx, share);
    return bound;
  });
  if (exceeded) return exceeded;
  let renewed: Promise<unknown> | undefined;
  const renewal = setInterval(() => {
    renewed ??= storeShare
      .run(db, share)
      .catch(() => undefined)
      .finally(() => {
        renewed = undefined;
      });
  }, leaseMs / 4).unref();
  return async () => {
    clearInterval(renewal);
    // It would take the share again after the deletion.
    await renewed;
    await deleteShare.run(db, { id: share.id }).catch(() => undefined);
  };
}
