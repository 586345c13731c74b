/** What one worker knows of a limit when it asks for its share. */
export type ShareQuestion = {
  /** What all workers together may use. */
  limit: number;
  /** What the others may use now, and whether they want any. */
  others: { worker: string; wants: boolean; share: number }[];
  me: string;
  wants: boolean;
  /** What the others count me with. */
  published: number;
  /** What I used lately, or still use: it cannot be given back yet. */
  inUse: number;
  /** Changes now and then: who gets a share when there are fewer than workers. */
  turn: number;
};

/**
 * Shares out a whole number among the workers that want some. The sum of what is published never exceeds the limit: a
 * worker stops using at once what it has to give back, but publishes that only when it is no longer in use; others
 * take it after that.
 * @returns what to use from now on, and what to publish
 */
export function planShare(question: ShareQuestion): { use: number; publish: number } {
  const { limit, others, published, inUse } = question;
  const free = Math.max(0, limit - others.reduce((sum, { share }) => sum + share, 0));
  const fair = question.wants ? fairShare(question) : 0;
  const use = Math.min(fair, free);
  return { use, publish: Math.max(use, Math.min(inUse, published)) };
}

function fairShare({ limit, others, me, turn }: ShareQuestion): number {
  const wanting = [...others.filter(({ wants }) => wants).map(({ worker }) => worker), me].sort();
  const count = wanting.length;
  // Only where there is not one for each do the workers take turns: a turn costs a moment of what it moves.
  const place = (wanting.indexOf(me) + (limit < count ? turn : 0)) % count;
  return Math.floor(limit / count) + (place < limit % count ? 1 : 0);
}
