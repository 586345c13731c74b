import type { ConfiguredSource } from '#features/sources/server/configuration/sources-file.ts';
import type { RowResult } from '../rows/row-result.ts';
import type { ReusableSource } from '../write/answer-cache.queries.ts';
import type { PendingRow } from './pending-rows.queries.ts';

/**
 * Returns the sources whose answers are cached, in the order in which they are asked. Registries may be replaced at
 * any time, and simulated answers are never reused.
 */
export function reusableSources(sources: ConfiguredSource[], cacheHours: number): ReusableSource[] {
  if (cacheHours === 0) return [];
  return sources
    .filter(({ enabled, remote, simulated }) => enabled && remote && !simulated)
    .map(({ name, cacheKey }) => ({ name, key: cacheKey }));
}

export function cachedResult(
  { position, serial }: Pick<RowResult, 'position' | 'serial'>,
  { source_key, fetched_at, egress, ...coverage }: NonNullable<PendingRow['cached']>,
  sources: ReusableSource[],
): RowResult {
  return {
    position,
    serial,
    state: 'done',
    reason: null,
    details: null,
    coverage,
    fetchedAt: Date.parse(fetched_at),
    source: sources.find(({ key }) => key === source_key)?.name ?? null,
    attempts: 0,
    egress,
    cached: true,
  };
}
