import { createSourceGate } from '#features/lookups/server/gate/source-gate.ts';
import { createFairQueue } from '#features/lookups/server/queues/fair-queue.ts';
import type { SourceQueue } from '#features/lookups/server/queues/source-queue.ts';
import type { Batch, LookupRow } from '#features/lookups/server/rows/batch.ts';
import { initialLookupState } from '#features/lookups/server/rows/lookup-state.ts';
import type { RowResult } from '#features/lookups/server/rows/row-result.ts';
import { createRowsByState } from '#features/lookups/server/rows/row-states.ts';
import type { ResultWriter } from '#features/lookups/server/write/result-writer.ts';
import type { ConfiguredSource } from '#features/sources/server/configuration/sources-file.ts';
import { createCallCounter } from '#features/sources/server/figures/call-counts.ts';

/** Creates the queue of a source that is never asked, with an unlimited allocation. */
export function makeSourceQueue(name: string, more: Partial<ConfiguredSource> = {}): SourceQueue {
  const entry: ConfiguredSource = {
    name,
    label: name,
    kind: 'http',
    raw: {},
    key: name,
    cacheKey: name,
    enabled: true,
    timeZone: undefined,
    accepts: ['imei', 'meid', 'serial'],
    egress: 'direct',
    limits: {},
    attempts: 5,
    remote: true,
    simulated: false,
    registry: undefined,
    findCredentialsEnd: undefined,
    requireFiles: async () => undefined,
    open: () => Promise.reject(new Error('never opened')),
    ...more,
  };
  const gate = createSourceGate(entry);
  gate.limiter.setAllocation({ perSecond: null, concurrency: null });
  const source = { ask: () => Promise.reject(new Error('never asked')), close: async () => undefined };
  return {
    entry,
    source,
    rows: createFairQueue(),
    gate,
    callCounter: createCallCounter(),
  };
}

/** Creates a writer that writes nothing. */
export function makeWriter(more: Partial<ResultWriter> = {}): ResultWriter {
  return {
    addResult: () => undefined,
    addLookupState: () => undefined,
    addCall: () => undefined,
    endBatch: () => undefined,
    flush: async () => undefined,
    findUnwritten: () => new Set<number>(),
    batches: new Set<Batch>(),
    refusedCompanies: [],
    room: 1,
    ...more,
  };
}

/** Creates a batch with a row of each kind, before it is added to the batch tracker. */
export function makeBatch(kinds: LookupRow['kind'][], ticketId = 1): { batch: Batch; rows: LookupRow[] } {
  const batch: Batch = {
    job: { id: 'job', holds: 1 },
    companyCode: 'ACM001',
    isRecheck: false,
    ticketId,
    lo: 0,
    hi: 199,
    rows: createRowsByState(),
    asked: false,
  };
  const rows = kinds.map((kind, n) => ({
    batch,
    state: 'active' as const,
    awaits: null,
    position: n,
    serial: `S${n}`,
    kind,
    lookupState: initialLookupState,
    cached: null,
    reserved: true,
  }));
  for (const row of rows) batch.rows.active.add(row);
  return { batch, rows };
}

/** Creates a done result without any values. */
export function makeResult({ position, serial }: Pick<LookupRow, 'position' | 'serial'>): RowResult {
  return {
    position,
    serial,
    state: 'done',
    reason: null,
    details: null,
    coverage: null,
    fetchedAt: null,
    source: 'first',
    attempts: 1,
    egress: 'direct',
    cached: false,
  };
}
