import type { AllocationRow } from '#features/lookups/server/workers/allocations.queries.ts';
import type { Answer, Answers } from './counted-database.ts';

type ProxyState = { proxy: string; state: string; worker: string | null };

/** What workers publish to each other: allocations, source states and leases of proxies. Nobody dies and nothing fails. */
export function createPublishedState(sources: string[], proxies: number): Answers {
  const allocations = new Map<string, AllocationRow>();
  const urls = Array.from({ length: proxies }, (_, n) => `http://10.0.${n >> 8}.${n & 255}:8080`);
  const leases = new Map<string, ProxyState>();

  const publish = ([names, workers, wants, perSecond, concurrency]: (
    | string
    | boolean
    | number
    | null
  )[][]) => {
    for (const [n, source] of (names ?? []).entries()) {
      const row = {
        ...{ source, worker: workers?.[n], wants: wants?.[n] },
        ...{ per_second: perSecond?.[n], concurrency: concurrency?.[n] },
      };
      allocations.set(`${source} ${row.worker}`, row as AllocationRow);
    }
    return names?.length ?? 0;
  };
  const countWanting = ([names, , me]: [string[], unknown, string]) => {
    const wanting = [...allocations.values()].filter(
      ({ source, wants, worker }) => wants && names.includes(source) && worker !== me,
    );
    return [{ count: new Set(wanting.map(({ worker }) => worker)).size }];
  };
  const setWorker = ([taken, worker]: [string[], string | null]) => {
    for (const proxy of taken)
      leases.set(proxy, { proxy, state: leases.get(proxy)?.state ?? 'unchecked', worker });
    return taken.length;
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
          ...{ name, state: 'up', paused: false, probe_at: null, few_serials: false, answered_at: null },
          ...{ pace: null, last_error: null, last_error_at: null },
        })),
    ],
    ['AS available FROM sources', () => sources.map((name) => ({ name, available: true }))],
    ['SELECT s.source, s.worker', () => [...allocations.values()]],
    ['INSERT INTO source_shares', publish],
    ['INSERT INTO source_minutes', () => 1],
    ['count(DISTINCT s.worker)', countWanting],
    ['AS version FROM proxy_sets', () => [{ version: '1' }]],
    ['SELECT DISTINCT p.url', () => urls.map((url) => ({ url }))],
    [
      'rest_until, rest_step, worker FROM proxy_states',
      () => [...leases.values()].map((row) => ({ ...row, rest_until: null, rest_step: 0 })),
    ],
    ['INSERT INTO proxy_states', setWorker],
    ['UPDATE proxy_states SET worker = NULL', ([given]: [string[]]) => setWorker([given, null])],
    ["UPDATE proxy_states SET state = 'good'", markGood],
  ];
  return (text, values) => known.find(([fragment]) => text.includes(fragment))?.[1](values as never);
}
