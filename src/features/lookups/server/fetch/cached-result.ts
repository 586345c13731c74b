import type { ConfiguredSource } from '#features/sources/server/configuration/sources-file.ts';
import type { RowResult } from '../rows/row-result.ts';
import type { ReusableSource } from '../write/answer-cache.queries.ts';
import type { PendingRow } from './pending-rows.queries.ts';

/**
 * The sources whose answers are cached, in the order in which they are asked. Own lists may be replaced at any time, and made
 * up answers are never shown as those of a cache.
 */
export function reusableSources(sources: ConfiguredSource[], cacheHours: number): ReusableSource[] {
  if (cacheHours === 0) return [];
  return sources
    .filter(({ enabled, remote, simulated }) => enabled && remote && !simulated)
    .map(({ name, cacheKey }) => ({ name, key: cacheKey }));
}

/** The result of a row from a cached answer about its serial. */
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
