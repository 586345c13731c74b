import { type SerialKind, serialKind } from '#features/coverage/coverage.contract.ts';
import type { RowResult } from '../rows/row-result.ts';
import type { ConfiguredSource } from '../sources/sources-file.ts';
import type { ReusableSource } from '../write/answer-cache.queries.ts';
import type { PendingRow } from './pending-rows.queries.ts';

/** The sources whose answers are cached, in the order in which they are asked. */
export function reusableSources(sources: ConfiguredSource[], cacheHours: number): ReusableSource[] {
  if (cacheHours === 0) return [];
  return sources
    .filter(({ enabled, remote }) => enabled && remote)
    .map(({ name, cacheKey }) => ({ name, key: cacheKey }));
}

/** The kinds of serials whose rows a cached answer finishes at once: those that no list of our own is asked about first. */
export function kindsOfCache(
  sources: Pick<ConfiguredSource, 'enabled' | 'accepts' | 'remote'>[],
): SerialKind[] {
  return serialKind.options.filter(
    (kind) => sources.find(({ enabled, accepts }) => enabled && accepts.includes(kind))?.remote,
  );
}

/** The result of a row from a cached answer about its serial. */
export function cachedResult(
  { position, serial }: Pick<RowResult, 'position' | 'serial'>,
  { source_key, fetched_at, egress, ...coverage }: NonNullable<PendingRow['cached']>,
  sources: ReusableSource[],
): RowResult {
  return {
    ...{ position, serial, state: 'done', reason: null, details: null, coverage },
    fetchedAt: Date.parse(fetched_at),
    source: sources.find(({ key }) => key === source_key)?.name ?? null,
    ...{ attempts: 0, egress, cached: true },
  };
}
