import { context, type Span, SpanKind, trace } from '@opentelemetry/api';
import { startSpan } from '#server/monitoring/spans.ts';
import type { Batch } from './batch.ts';

const spans = new WeakMap<Batch, Span>();

export function startBlockSpan(batch: Batch, rows: number): void {
  const { ticketId, lo, hi } = batch;
  const attributes = {
    'coverdesk.ticket': ticketId,
    'coverdesk.first_position': lo,
    'coverdesk.last_position': hi,
    'coverdesk.rows': rows,
  };
  spans.set(batch, startSpan('block of lookups', { attributes }));
}

export function endBlockSpan(batch: Batch): void {
  spans.get(batch)?.end();
}

/** Starts the span of a call to a source, below that of the row's block. The caller sets its outcome and ends it. */
export function startCallSpan(batch: Batch, source: string): Span | undefined {
  const block = spans.get(batch);
  // Without an SDK, or if this block is not sampled, a call costs nothing.
  if (!block?.isRecording()) return undefined;
  return context.with(trace.setSpan(context.active(), block), () =>
    startSpan('call to a source', { kind: SpanKind.CLIENT, attributes: { 'coverdesk.source': source } }),
  );
}
