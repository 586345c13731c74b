import type { ConfiguredSource } from '#features/sources/server/configuration/sources-file.ts';
import { type SerialKind, serialKind } from '#features/sources/sources.contract.ts';
import type { RowResult } from '../rows/row-result.ts';
import type { ReusableSource } from '../write/answer-cache.queries.ts';
import type { PendingRow } from './pending-rows.queries.ts';

/** The sources whose answers are cached, in the order in which they are asked. */
export function reusableSources(sources: ConfiguredSource[], cacheHours: number): ReusableSource[] {
  if (cacheHours === 0) return [];
  return sources.filter(isReusable).map(({ name, cacheKey }) => ({ name, key: cacheKey }));
}

/** The kinds of serials whose rows a cached answer finishes at once: those whose first source has cached answers. */
export function kindsOfCache(
  sources: Pick<ConfiguredSource, 'enabled' | 'accepts' | 'remote' | 'simulated'>[],
): SerialKind[] {
  return serialKind.options.filter((kind) => {
    const first = sources.find(({ enabled, accepts }) => enabled && accepts.includes(kind));
    return first !== undefined && isReusable(first);
  });
}

/** Own lists may be replaced at any time, and made up answers are never shown as those of a cache. */
function isReusable({
  enabled,
  remote,
  simulated,
}: Pick<ConfiguredSource, 'enabled' | 'remote' | 'simulated'>): boolean {
  return enabled && remote && !simulated;
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
