/** What one worker knows of a limit when it asks for its allocation. */
export type AllocationRequest = {
  /** What all workers together may use. */
  limit: number;
  /** What the other workers have published, and whether they want any. */
  others: { worker: string; wants: boolean; allocated: number }[];
  me: string;
  wants: boolean;
  /** What this worker has published. */
  published: number;
  /** What this worker used lately or still uses: it cannot be given back yet. */
  inUse: number;
  /** Changes now and then, and with it who gets one where there are fewer than workers. */
  turn: number;
};

/**
 * Divides a whole number among the workers that want some. The sum of what is published never exceeds the limit: a
 * worker that has to give some back stops using it at once, but publishes that only when it is no longer in use. Only
 * then do others take it.
 * @returns what to use from now on, and what to publish
 */
export function planAllocation(request: AllocationRequest): { use: number; publish: number } {
  const { limit, others, published, inUse } = request;
  const free = Math.max(0, limit - others.reduce((sum, { allocated }) => sum + allocated, 0));
  const fair = request.wants ? evenAllocation(request) : 0;
  const use = Math.min(fair, free);
  return { use, publish: Math.max(use, Math.min(inUse, published)) };
}

/**
 * Whether a part is to be had for a worker: it has one, there is one for each that wants some, or some of the limit is
 * with nobody who wants it. Otherwise whoever has a part keeps it, and has the rows of all.
 */
export function mayHaveAllocation({
  limit,
  others,
  published,
}: Pick<AllocationRequest, 'limit' | 'others' | 'published'>): boolean {
  const wanting = others.filter(({ wants }) => wants);
  return (
    published > 0 ||
    limit > wanting.length ||
    wanting.reduce((sum, { allocated }) => sum + allocated, 0) < limit
  );
}

function evenAllocation({ limit, others, me, turn }: AllocationRequest): number {
  const wanting = [...others.filter(({ wants }) => wants).map(({ worker }) => worker), me].sort();
  const count = wanting.length;
  // Workers take turns only where there is not one for each: a turn leaves what it moves unused for a moment.
  const place = (wanting.indexOf(me) + (limit < count ? turn : 0)) % count;
  return Math.floor(limit / count) + (place < limit % count ? 1 : 0);
}
