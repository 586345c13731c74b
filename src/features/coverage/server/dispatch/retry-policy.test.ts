import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Progress, untouched } from '../rows/lookup-state.ts';
import type { Outcome } from '../sources/source.ts';
import { type Decision, decide } from './retry-policy.ts';

const coverage = {
  type: 'Phone',
  activation_status: null,
  purchase_date: null,
  warranty_title: null,
  coverage_start_date: null,
  coverage_end_date: null,
};
const source = { name: 'acme', attempts: 3 };

function after(outcome: Outcome, progress: Progress = untouched, hasNext = false): Decision {
  assert.ok(outcome.is !== 'proxy');
  return decide(progress, outcome, { source, hasNext: () => hasNext, now: 1000, random: () => 0.5 });
}

/** The rows' way through several outcomes, up to the last decision. */
function run(...outcomes: Outcome[]): Decision {
  let progress: Progress = untouched;
  for (const outcome of outcomes.slice(0, -1)) {
    const decision = after(outcome, progress);
    assert.ok(decision.to === 'later' || decision.to === 'next');
    progress = decision.progress;
  }
  return after(outcomes.at(-1) ?? { is: 'not_found' }, progress);
}

const retry: Outcome = { is: 'retry', error: 'HTTP 503' };
const pending: Outcome = { is: 'pending', poll: 'order-1', afterMs: 2000, max: 2 };

test('an answer ends the row, with the number of calls that it took', () => {
  assert.deepEqual(after({ is: 'found', coverage }), { to: 'done', coverage, attempts: 1 });
  assert.deepEqual(run(retry, { is: 'found', coverage }), { to: 'done', coverage, attempts: 2 });
  assert.deepEqual(after({ is: 'invalid', error: 'HTTP 400' }), {
    ...{ to: 'failed', reason: 'Rejected by source', details: 'HTTP 400', attempts: 1 },
  });
});

test('only not_found leads to the next source, which starts afresh', () => {
  assert.deepEqual(after({ is: 'not_found' }), {
    to: 'failed',
    reason: 'Not found',
    details: null,
    attempts: 1,
  });
  const tried = { ...untouched, source: 'acme', tries: 2 };
  assert.deepEqual(after({ is: 'not_found' }, tried, true), {
    to: 'next',
    progress: { ...untouched, answered: ['acme'] },
  });
});

test('retry and throttled use up attempts and wait longer each time', () => {
  const first = after(retry);
  assert.deepEqual(first, { to: 'later', progress: { ...untouched, source: 'acme', tries: 1, due: 2000 } });
  const second = run(retry, { is: 'throttled', error: 'HTTP 429', retryAfterMs: null });
  assert.deepEqual(second, { to: 'later', progress: { ...untouched, source: 'acme', tries: 2, due: 3000 } });
  const told = after({ is: 'throttled', error: 'HTTP 429', retryAfterMs: 60_000 });
  assert.equal(told.to === 'later' && told.progress.due, 61_000);
  assert.deepEqual(run(retry, retry, retry), {
    ...{ to: 'failed', reason: 'Source unavailable', details: 'HTTP 503', attempts: 3 },
  });
});

test('attempts at one source say nothing of another', () => {
  const elsewhere = { ...untouched, source: 'other', tries: 2, polls: 1, poll: 'x' };
  assert.deepEqual(after(retry, elsewhere), {
    to: 'later',
    progress: { ...untouched, source: 'acme', tries: 1, due: 2000 },
  });
});

test('polling uses no attempts until it has gone on for too long, and survives a passing failure', () => {
  const progress = { ...untouched, source: 'acme', polls: 1, poll: 'order-1', due: 3000 };
  assert.deepEqual(after(pending), { to: 'later', progress });
  assert.deepEqual(run(pending, pending, { is: 'found', coverage }), { to: 'done', coverage, attempts: 1 });
  assert.deepEqual(run(pending, pending, pending), {
    to: 'later',
    progress: { ...untouched, source: 'acme', tries: 1, due: 2000 },
  });
  assert.deepEqual(run(pending, retry), {
    to: 'later',
    progress: { ...progress, tries: 1, due: 2000 },
  });
});

test("the source's own trouble uses nothing up", () => {
  assert.deepEqual(after({ is: 'unreachable', error: 'ECONNREFUSED' }), {
    ...{ to: 'source', trouble: 'down', error: 'ECONNREFUSED' },
  });
  assert.deepEqual(after({ is: 'quota', error: 'HTTP 402' }), {
    to: 'source',
    trouble: 'quota',
    error: 'HTTP 402',
  });
});
