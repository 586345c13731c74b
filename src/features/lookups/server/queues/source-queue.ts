import type { OpenedSource, SourceTools } from '#features/sources/server/configuration/source.ts';
import type { ConfiguredSource } from '#features/sources/server/configuration/sources-file.ts';
import type { CallCounter } from '#features/sources/server/figures/call-counts.ts';
import { createCallCounter } from '#features/sources/server/figures/call-counts.ts';
import type { Egress } from '../gate/egress.ts';
import { createSourceGate, type SourceGate } from '../gate/source-gate.ts';
import type { LookupRow } from '../rows/batch.ts';
import { createFairQueue, type FairQueue } from './fair-queue.ts';

/** One source, the rows to ask it about, and the gate that decides when. */
export type SourceQueue = {
  entry: ConfiguredSource;
  source: OpenedSource;
  rows: FairQueue<LookupRow>;
  gate: SourceGate;
  callCounter: CallCounter;
  callRate: ReturnType<typeof createCallRate>;
};

/** Opens every enabled source and gives it a queue, in the order in which the sources are asked. */
export async function openSourceQueues(
  sources: ConfiguredSource[],
  tools: SourceTools,
  createProxyEgress: (limits: ConfiguredSource['limits']) => Egress,
): Promise<SourceQueue[]> {
  const sourceQueues: SourceQueue[] = [];
  for (const entry of sources.filter(({ enabled }) => enabled)) {
    const egress = entry.egress === 'proxies' ? createProxyEgress(entry.limits) : undefined;
    sourceQueues.push({
      entry,
      source: await entry.open(tools),
      rows: createFairQueue(),
      gate: createSourceGate(entry, egress),
      callCounter: createCallCounter(),
      callRate: createCallRate(),
    });
  }
  return sourceQueues;
}

/** Creates a counter of the calls to a source. */
export function createCallRate() {
  let since = performance.now();
  let counted = 0;
  let last = 0;
  const closeSecond = (now: number) => {
    const elapsed = now - since;
    if (elapsed < 1000) return;
    last = (counted * 1000) / elapsed;
    [counted, since] = [0, now];
  };
  return {
    count(now: number) {
      closeSecond(now);
      counted += 1;
    },
    /** Returns the calls per second over about the last second. */
    perSecond(now: number) {
      closeSecond(now);
      // At the beginning of a second the second before says more.
      return Math.max(last, counted);
    },
  };
}
