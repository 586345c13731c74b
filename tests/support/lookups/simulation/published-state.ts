import type { AllocationRow } from '#features/lookups/server/gate/limits/allocations.queries.ts';
import type { Answer, Answers } from './counted-database.ts';

type ProxyState = { proxy: string; state: string; worker: string | null };

/** The shared state of simulated workers: allocations, source states and proxy leases. No worker dies. */
export type PublishedState = {
  answer: Answers;
  setPaused(isPaused: boolean): void;
  /** Whether a worker is gone for long enough that its jobs are freed. */
  isGone(worker: string): boolean;
};

export function createPublishedState(sources: string[], proxies: number): PublishedState {
  let paused = false;
  const heartbeats = new Map<string, number>();
  const goneAt = new Map<string, number>();
  const allocations = new Map<string, AllocationRow>();
  const urls = Array.from({ length: proxies }, (_, n) => `http://10.0.${n >> 8}.${n & 255}:8080`);
  const leases = new Map<string, ProxyState>(
    urls.map((proxy) => [proxy, { proxy, state: 'unchecked', worker: null }]),
  );

  const renew = ({ id }: { id: string }) => {
    heartbeats.set(id, Date.now());
    goneAt.delete(id);
    return [{ is_known: true }];
  };
  const markSilent = ({ permitMs }: { permitMs: number }) => {
    for (const [id, at] of heartbeats)
      if (at < Date.now() - permitMs && !goneAt.has(id)) goneAt.set(id, Date.now());
    return goneAt.size;
  };
  const publish = (given: { rows: string }) => {
    const rows: AllocationRow[] = JSON.parse(given.rows);
    for (const row of rows) allocations.set(`${row.source} ${row.worker}`, row);
    return rows.length;
  };
  const listWanting = ({ sources, me }: { sources: string[]; me: string }) => {
    const wanting = [...allocations.values()].filter(
      ({ source, wants }) => wants && sources.includes(source),
    );
    return [...new Set([me, ...wanting.map(({ worker }) => worker)])].map((worker) => ({ worker }));
  };
  const listProxies = (holder: string | null) =>
    [...leases.values()].filter(({ worker }) => worker === holder);
  const countProxies = ({ limit }: { limit: number }) => [
    { any: leases.size > 0, usable: Math.min(limit, leases.size) },
  ];
  const lease = ({ worker, limit }: { worker: string; limit: number }) => {
    const taken = listProxies(null).slice(0, limit);
    for (const row of taken) row.worker = worker;
    return taken.map(({ proxy, state }) => ({ proxy, good: state === 'good', rest_step: 0 }));
  };
  const release = ({ proxies: released }: { proxies: string[] }) => {
    for (const proxy of released) Object.assign(leases.get(proxy) ?? {}, { worker: null });
    return released.length;
  };
  const storeOutcomes = (given: { outcomes: string }) => {
    const outcomes: { proxy: string; state: string }[] = JSON.parse(given.outcomes);
    for (const { proxy, state } of outcomes) Object.assign(leases.get(proxy) ?? {}, { state });
    return outcomes.length;
  };

  const known: [fragment: string, answer: (values: never) => Answer][] = [
    ['INSERT INTO workers', renew],
    ['UPDATE workers SET gone_at', markSilent],
    ['WITH freed_shares', () => 0],
    [
      'SELECT name, state, paused',
      () =>
        sources.map((name) => ({
          name,
          state: 'up',
          paused,
          probe_at: null,
          pace: null,
          last_error: null,
          last_error_at: null,
          is_probe_due: false,
        })),
    ],
    ['AS available FROM sources', () => sources.map((name) => ({ name, available: true }))],
    ['SELECT s.source, s.worker', () => [...allocations.values()]],
    ['INSERT INTO source_shares', publish],
    ['INSERT INTO source_minutes', () => 1],
    ['AS worker UNION', listWanting],
    ['AS version FROM proxy_sets', () => [{ version: '1' }]],
    ['INSERT INTO proxy_states', () => [{ is_complete: true }]],
    ['SELECT proxy FROM proxy_states AS p WHERE NOT EXISTS', () => []],
    ['SELECT EXISTS (SELECT FROM proxy_states)', countProxies],
    ['UPDATE proxy_states SET worker = $1', lease],
    ['SELECT proxy FROM proxy_states WHERE worker', ({ worker }: { worker: string }) => listProxies(worker)],
    ['UPDATE proxy_states SET worker = NULL', release],
    ['UPDATE proxy_states AS p SET state = o.state', storeOutcomes],
  ];
  return {
    answer: (text, values) => known.find(([fragment]) => text.includes(fragment))?.[1](values),
    isGone: (worker) => (goneAt.get(worker) ?? Number.POSITIVE_INFINITY) < Date.now() - 5000,
    setPaused(isPaused) {
      paused = isPaused;
    },
  };
}
