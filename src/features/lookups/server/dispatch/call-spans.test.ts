import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Outcome } from '#features/sources/server/configuration/source.ts';
import { createWakeup } from '#server/concurrency/wakeup.ts';
import { createLog } from '#server/runtime/log.ts';
import { makeBatch, makeSourceQueue, makeWriter } from '#tests/support/lookups/source-queue.ts';
import { type RecordedSpans, recordSpans } from '#tests/support/record-spans.ts';
import { createBatchTracker } from '../fetch/batch-tracker.ts';
import { createDispatcher } from './dispatcher.ts';
import { createFailedCalls } from './failed-calls.ts';

let spans: RecordedSpans;
before(() => {
  spans = recordSpans();
});
after(() => spans.stop());

test('each call to a source has a span with its source, ticket and outcome', async () => {
  const outcomes: Outcome[] = [{ is: 'not_found' }, { is: 'retry', error: 'it failed for S1' }];
  const asked = makeSourceQueue('shop');
  const ask = async () => outcomes.shift() ?? assert.fail();
  const sourceQueue = { ...asked, source: { ...asked.source, ask } };
  const [writer, wakeup] = [makeWriter({ room: 2 }), createWakeup()];
  const batchTracker = createBatchTracker([sourceQueue], [], writer, wakeup);
  const log = createLog('test', 'silent');
  const dispatcher = createDispatcher({
    log,
    failedCalls: createFailedCalls(log),
    sourceQueues: [sourceQueue],
    concurrency: 10,
    batchTracker,
    writer,
    wakeup,
    handleOutcome: () => undefined,
  });
  const { batch } = makeBatch(['imei', 'imei']);
  batchTracker.add(batch);
  dispatcher.dispatch();
  await new Promise((resolve) => setImmediate(resolve));
  const calls = spans.ended().filter(({ name }) => name === 'call to a source');
  assert.deepEqual(
    calls.map(({ attributes }) => attributes),
    [
      { 'coverdesk.source': 'shop', 'coverdesk.ticket': batch.ticketId, 'coverdesk.outcome': 'not_found' },
      { 'coverdesk.source': 'shop', 'coverdesk.ticket': batch.ticketId, 'coverdesk.outcome': 'retry' },
    ],
  );
});
