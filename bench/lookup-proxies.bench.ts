import { type ProxySpec, startProxies, storeProxySet } from '../tests/support/proxies.ts';
import { peakPerSecond } from '../tests/support/upstream.ts';
import { type Bench, type Row, ratePerSecond } from './support/bench.ts';
import { setLookupStage } from './support/lookup-stage.ts';

const proxies = 40;
const dead = 8;
const perProxy = 2;
const workers = 3;
const seconds = 30;
/** Until every proxy has been tried once and those that are dead rest. */
const settleMs = 10_000;

/** Are proxies used as far as their limits go, and no further? */
export const bench: Bench = {
  title: `Lookups through ${proxies} proxies of which ${dead} are dead, by ${workers} worker processes`,
  run,
};

async function run(): Promise<Row[]> {
  const faults = ['refuse', 'hang', '407', '502'] as const;
  const specs = Array.from({ length: proxies }, (_, n): ProxySpec => {
    const fault = n < dead ? faults[n % faults.length] : undefined;
    return { kind: n % 4 === 3 ? 'socks5' : 'http', ...(fault && { fault }) };
  });
  const running = await startProxies(specs);
  const entry = { egress: 'proxies', limits: { per_proxy_per_second: perProxy, per_proxy_concurrency: 2 } };
  const stage = await setLookupStage(entry, { workers, latencyMs: 100 });
  try {
    await storeProxySet(stage.database.pool, 'bench', running.urls);
    const live = (proxies - dead) * perProxy;
    const count = live * (seconds + settleMs / 1000);
    const id = await stage.importSerials(count * 2);
    await stage.until(id, ({ done }) => done >= count);
    const { calls } = await running.report();
    const all = calls.flat().sort((a, b) => a - b);
    const steady = all.filter((start) => start >= (all[0] ?? 0) + settleMs);
    return [
      {
        what: 'most calls of one proxy in any second',
        unit: 'calls',
        measured: Math.max(...calls.map((starts) => peakPerSecond(starts))),
        beside: 'limit',
        reference: perProxy,
        goal: perProxy,
      },
      {
        what: 'calls a second through all of them',
        unit: 'calls/s',
        measured: ratePerSecond(steady),
        beside: 'live proxies x limit',
        reference: live,
        leastRatio: 0.95,
      },
    ];
  } finally {
    await stage.close();
    await running.close();
  }
}
