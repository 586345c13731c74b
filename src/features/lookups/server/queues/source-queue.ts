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
    });
  }
  return sourceQueues;
}
