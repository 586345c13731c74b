/** What a worker knows when it asks for proxies. */
export type PoolView = {
  /** Every proxy of every Active set. */
  active: ReadonlySet<string>;
  /** Proxies that rest, or that another worker holds. */
  resting: ReadonlySet<string>;
  taken: ReadonlySet<string>;
  /** What this worker holds, with those it has begun to give back. */
  held: ReadonlySet<string>;
  /** Workers that want proxies, this one among them if it does. */
  wanting: number;
  wants: boolean;
  /** The most that one worker holds. */
  most: number;
  random(): number;
};

/** Which proxies a worker takes and which it gives back, so that all workers come to hold an even part of the pool. */
export function planProxies(view: PoolView): { take: string[]; giveBack: string[] } {
  const { active, resting, taken, held } = view;
  const usable = [...active].filter((proxy) => !resting.has(proxy));
  const fair = view.wants ? Math.min(view.most, Math.ceil(usable.length / Math.max(1, view.wanting))) : 0;
  const mine = usable.filter((proxy) => held.has(proxy));
  if (mine.length > fair) return { take: [], giveBack: mine.slice(fair) };
  const free = usable.filter((proxy) => !held.has(proxy) && !taken.has(proxy));
  return { take: pick(free, fair - mine.length, view.random), giveBack: [] };
}

/** Some of a list, by chance: the first of a long list are not always the ones in use. */
function pick(list: string[], count: number, random: () => number): string[] {
  const rest = [...list];
  const picked: string[] = [];
  while (picked.length < count && rest.length > 0) {
    const index = Math.floor(random() * rest.length);
    picked.push(rest[index] ?? '');
    rest[index] = rest.at(-1) ?? '';
    rest.pop();
  }
  return picked;
}

const firstRestMs = 30_000;
const longestRestMs = 1_800_000;
/** A proxy stays unused this long before another worker may have it: the calls of its last second count no more. */
export const handOverMs = 1100;

/** How long a proxy rests that has failed `step` times before: full jitter, 30 s doubling to 30 min at most. */
export function restMs(step: number, random: () => number): number {
  return Math.max(handOverMs, Math.round(random() * Math.min(longestRestMs, firstRestMs * 2 ** step)));
}
