/** What a worker knows when it asks for proxies. */
export type PoolView = {
  /** Every proxy of every Active set. */
  active: ReadonlySet<string>;
  /** Proxies that rest, and those that are leased to other workers. */
  resting: ReadonlySet<string>;
  taken: ReadonlySet<string>;
  /** The proxies that are leased to this worker, also those that it is giving back. */
  held: ReadonlySet<string>;
  /** Workers that want proxies, this one among them if it does. */
  wanting: number;
  wants: boolean;
  /** The most that one worker leases. */
  most: number;
  random(): number;
};

/** Which proxies a worker leases and which it gives back, so that every worker gets an even part of them. */
export function planProxies(view: PoolView): { take: string[]; giveBack: string[] } {
  const { active, resting, taken, held } = view;
  const usable = [...active].filter((proxy) => !resting.has(proxy));
  const fair = view.wants ? Math.min(view.most, Math.ceil(usable.length / Math.max(1, view.wanting))) : 0;
  const mine = usable.filter((proxy) => held.has(proxy));
  if (mine.length > fair) return { take: [], giveBack: mine.slice(fair) };
  const free = usable.filter((proxy) => !held.has(proxy) && !taken.has(proxy));
  return { take: pick(free, fair - mine.length, view.random), giveBack: [] };
}

/** A random part of a list, so that the first of a long list are not always the ones in use. */
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
const leastRestMs = 1100;

/**
 * How long a proxy rests that has failed `step` times before: full jitter, 30 s doubling to 30 min at most. It stays leased
 * until the calls through it no longer count, if that is longer.
 */
export function restMs(step: number, random: () => number): number {
  return Math.max(leastRestMs, Math.round(random() * Math.min(longestRestMs, firstRestMs * 2 ** step)));
}
