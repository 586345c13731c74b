import type { Coverage } from '#features/sources/sources.contract.ts';
import type { LookupState } from './lookup-state.ts';

export type RowResult = {
  position: number;
  serial: string;
  state: 'done' | 'failed';
  reason: string | null;
  details: string | null;
  coverage: Coverage | null;
  /** When the source was asked (epoch ms, by the worker's clock); null if none was. Stored as no later than it is written. */
  fetchedAt: number | null;
  source: string | null;
  attempts: number;
  egress: 'direct' | 'proxies' | null;
  cached: boolean;
};

/** Returns the result of a row that fails without an answer. */
export function failedResult(
  failed: Pick<RowResult, 'position' | 'serial' | 'reason' | 'details' | 'source' | 'attempts'>,
): RowResult {
  return { ...failed, state: 'failed', coverage: null, fetchedAt: null, egress: null, cached: false };
}

export function noSourceLeft(row: { position: number; serial: string; lookupState: LookupState }): RowResult {
  const { position, serial, lookupState } = row;
  const details = lookupState.answered.length === 0 ? 'No source takes this kind of serial number' : null;
  return failedResult({ position, serial, reason: 'Not found', details, source: null, attempts: 0 });
}
