/** The length of a turn when the limit is smaller than the number of workers. */
export const turnMs = 10_000;

/** One limit, as seen by the worker that requests an allocation. */
export type AllocationRequest = {
  /** The limit of all workers together. */
  limit: number;
  /** The published allocations of the other workers, and whether they want any. */
  others: { worker: string; wants: boolean; allocated: number }[];
  me: string;
  wants: boolean;
  /** The published allocation of this worker. */
  published: number;
  /** The amount that this worker uses or used recently, and so cannot return yet. */
  inUse: number;
  /**
   * A number that changes with time. It decides which workers get a permit when there are fewer permits than workers.
   */
  turn: number;
};

/**
 * Divides a limit among the workers that want some. The sum of published allocations never exceeds the limit. A worker
 * that has to return permits stops using them at once, and publishes that when they are no longer in use. Only then
 * do others take them.
 * @returns the amount to use from now on, and the amount to publish
 */
export function planAllocation(request: AllocationRequest): { use: number; publish: number } {
  const { limit, others, published, inUse } = request;
  const free = Math.max(0, limit - others.reduce((sum, { allocated }) => sum + allocated, 0));
  const wanting = others.filter(({ wants }) => wants).map(({ worker }) => worker);
  const fair = request.wants ? evenAllocation({ ...request, wanting: [...wanting, request.me] }) : 0;
  const use = Math.min(fair, free);
  return { use, publish: Math.max(use, Math.min(inUse, published)) };
}

/**
 * Returns whether a worker gets no allocation: it has none, the limit does not suffice for each worker that wants one, and
 * nothing of it is free. Then the workers that have one keep it, and process all rows.
 */
export function isUsedElsewhere({
  limit,
  others,
  published,
}: Pick<AllocationRequest, 'limit' | 'others' | 'published'>): boolean {
  const wanting = others.filter(({ wants }) => wants);
  return (
    published === 0 &&
    limit <= wanting.length &&
    wanting.reduce((sum, { allocated }) => sum + allocated, 0) >= limit
  );
}

/** Returns the part of `me` if the workers that want some of a limit divide all of it. `me` is one of them. */
export function evenAllocation({
  limit,
  wanting,
  me,
  turn,
}: Pick<AllocationRequest, 'limit' | 'me' | 'turn'> & { wanting: string[] }): number {
  const count = wanting.length;
  // Workers take turns only if there is less than one for each, because a permit is unused while it changes hands.
  const rank = (wanting.toSorted().indexOf(me) + (limit < count ? turn : 0)) % count;
  return Math.floor(limit / count) + (rank < limit % count ? 1 : 0);
}
