import type { AllocationRow } from '#features/lookups/server/gate/limits/allocations.queries.ts';
import type { Answer, Answers } from './counted-database.ts';

type ProxyState = { proxy: string; state: string; worker: string | null };

/** The shared state of simulated workers: allocations, source states and proxy leases. No worker dies and no statement fails. */
export type PublishedState = { answer: Answers; setPaused(isPaused: boolean): void };

export function createPublishedState(sources: string[], proxies: number): PublishedState {
  let paused = false;
  const allocations = new Map<string, AllocationRow>();
  const urls = Array.from({ length: proxies }, (_, n) => `http://10.0.${n >> 8}.${n & 255}:8080`);
  const leases = new Map<string, ProxyState>(
    urls.map((proxy) => [proxy, { proxy, state: 'unchecked', worker: null }]),
  );

  const publish = ([names, workers, wants, perSecond, concurrency]: (
    | string
    | boolean
    | number
    | null
  )[][]) => {
    for (const [n, source] of (names ?? []).entries()) {
      const row = {
        source,
        worker: workers?.[n],
        wants: wants?.[n],
        per_second: perSecond?.[n],
        concurrency: concurrency?.[n],
      };
      allocations.set(`${source} ${row.worker}`, row as AllocationRow);
    }
    return names?.length ?? 0;
  };
  const countWanting = ([names, me]: [string[], string]) => {
    const wanting = [...allocations.values()].filter(
      ({ source, wants, worker }) => wants && names.includes(source) && worker !== me,
    );
    return [{ count: new Set(wanting.map(({ worker }) => worker)).size + 1 }];
  };
  const listProxies = (holder: string | null) =>
    [...leases.values()].filter(({ worker }) => worker === holder);
  const countProxies = ([most]: [number]) => [{ any: leases.size > 0, usable: Math.min(most, leases.size) }];
  const lease = ([worker, most]: [string, number]) => {
    const taken = listProxies(null).slice(0, most);
    for (const row of taken) row.worker = worker;
    return taken.map(({ proxy, state }) => ({ proxy, good: state === 'good', rest_step: 0 }));
  };
  const release = ([, given]: [string, string[]]) => {
    for (const proxy of given) Object.assign(leases.get(proxy) ?? {}, { worker: null });
    return given.length;
  };
  const markGood = ([good]: [string[]]) => {
    for (const proxy of good) Object.assign(leases.get(proxy) ?? {}, { state: 'good' });
    return good.length;
  };

  const known: [fragment: string, answer: (values: never) => Answer][] = [
    ['UPDATE workers SET heartbeat', () => 1],
    ['UPDATE workers SET gone_at', () => 0],
    ['WITH freed_shares', () => 0],
    ['SELECT now()', () => [{ now: new Date() }]],
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
        })),
    ],
    ['AS available FROM sources', () => sources.map((name) => ({ name, available: true }))],
    ['SELECT s.source, s.worker', () => [...allocations.values()]],
    ['INSERT INTO source_shares', publish],
    ['INSERT INTO source_minutes', () => 1],
    ['count(DISTINCT s.worker)', countWanting],
    ['AS version FROM proxy_sets', () => [{ version: '1' }]],
    ['INSERT INTO proxy_states', () => [{ is_complete: true }]],
    ['SELECT proxy FROM proxy_states AS p WHERE NOT EXISTS', () => []],
    ['SELECT EXISTS (SELECT FROM proxy_states)', countProxies],
    ['UPDATE proxy_states SET worker = $1', lease],
    ['SELECT proxy FROM proxy_states WHERE worker', ([me]: [string]) => listProxies(me)],
    ['UPDATE proxy_states SET worker = NULL', release],
    ["UPDATE proxy_states SET state = 'good'", markGood],
  ];
  return {
    answer: (text, values) => known.find(([fragment]) => text.includes(fragment))?.[1](values as never),
    setPaused(isPaused) {
      paused = isPaused;
    },
  };
}
