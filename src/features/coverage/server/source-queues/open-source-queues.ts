import { createHealth } from '../source-figures/call-counts.ts';
import type { SourceTools } from '../sources/source.ts';
import type { ConfiguredSource } from '../sources/sources-file.ts';
import { createFairQueue } from './fair-queue.ts';
import { createGate } from './rate-limiter.ts';
import { directEgress, type Egress, type Lane } from './source-queue.ts';

/** Opens every enabled source, in the order in which they are asked. */
export async function openLanes(
  sources: ConfiguredSource[],
  tools: SourceTools,
  createProxyEgress: (limits: ConfiguredSource['limits']) => Egress,
): Promise<Lane[]> {
  const lanes: Lane[] = [];
  for (const entry of sources.filter(({ enabled }) => enabled)) {
    const gate = createGate(entry.limits.per_second);
    // What is answered without a network has no limits to share.
    if (!entry.remote) gate.setShare({ perSecond: null, concurrency: null });
    lanes.push({
      entry,
      source: await entry.open(tools),
      queue: createFairQueue(),
      gate,
      egress: entry.egress === 'proxies' ? createProxyEgress(entry.limits) : directEgress,
      health: createHealth(),
    });
  }
  return lanes;
}
