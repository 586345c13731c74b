import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '#features/sources/server/configuration/source.ts';
import { initialLookupState, type LookupState } from '../rows/lookup-state.ts';
import { applyRetryPolicy, type Decision } from './retry-policy.ts';

const coverage = {
  type: 'Phone',
  activation_status: null,
  purchase_date: null,
  warranty_title: null,
  coverage_start_date: null,
  coverage_end_date: null,
};
const source = { name: 'acme', attempts: 3 };

function after(
  outcome: Outcome,
  lookupState: LookupState = initialLookupState,
  { hasNext = false, isShut = false } = {},
): Decision {
  assert.ok(outcome.is !== 'proxy' && outcome.is !== 'unsent');
  return applyRetryPolicy(lookupState, outcome, {
    source,
    isShut,
    hasNext: () => hasNext,
    now: 1000,
    random: () => 0.5,
  });
}

/** Applies several outcomes to a row. Returns the last decision. */
function run(...outcomes: Outcome[]): Decision {
  let lookupState: LookupState = initialLookupState;
  for (const outcome of outcomes.slice(0, -1)) {
    const decision = after(outcome, lookupState);
    assert.ok(decision.to === 'continue');
    lookupState = decision.lookupState;
  }
  return after(outcomes.at(-1) ?? { is: 'not_found' }, lookupState);
}

const waiting = { ...initialLookupState, source: 'acme' };
const retry: Outcome = { is: 'retry', error: 'HTTP 503' };
const pending: Outcome = { is: 'pending', poll: 'order-1', afterMs: 2000, max: 2 };

test('an answer finishes the row with the number of its attempts', () => {
  assert.deepEqual(after({ is: 'found', coverage }), { to: 'done', coverage, attempts: 1 });
  assert.deepEqual(run(retry, { is: 'found', coverage }), { to: 'done', coverage, attempts: 2 });
  assert.deepEqual(after({ is: 'invalid', error: 'HTTP 400' }), {
    to: 'failed',
    reason: 'Rejected by source',
    details: 'HTTP 400',
    attempts: 1,
  });
});

test('only not_found leads to the next source, with a new lookup state', () => {
  assert.deepEqual(after({ is: 'not_found' }), {
    to: 'failed',
    reason: 'Not found',
    details: null,
    attempts: 1,
  });
  const tried = { ...initialLookupState, source: 'acme', tries: 2 };
  assert.deepEqual(after({ is: 'not_found' }, tried, { hasNext: true }), {
    to: 'continue',
    lookupState: { ...initialLookupState, answered: ['acme'] },
  });
});

test('retry and throttled use up attempts and wait longer each time', () => {
  const first = after(retry);
  assert.deepEqual(first, {
    to: 'continue',
    lookupState: { ...initialLookupState, source: 'acme', tries: 1, due: 2000 },
  });
  const second = run(retry, { is: 'throttled', error: 'HTTP 429', retryAfterMs: null });
  assert.deepEqual(second, {
    to: 'continue',
    lookupState: { ...initialLookupState, source: 'acme', tries: 2, due: 3000 },
  });
  const told = after({ is: 'throttled', error: 'HTTP 429', retryAfterMs: 60_000 });
  assert.equal(told.to === 'continue' && told.lookupState.due, 61_000);
  const toldBusy = after({ is: 'retry', error: 'HTTP 503', retryAfterMs: 60_000 });
  assert.deepEqual(toldBusy, told);
  assert.deepEqual(run(retry, retry, retry), {
    to: 'failed',
    reason: 'Source unavailable',
    details: 'HTTP 503',
    attempts: 3,
  });
});

test('attempts at one source do not count at another', () => {
  const elsewhere = { ...initialLookupState, source: 'other', tries: 2, polls: 1, poll: 'x' };
  assert.deepEqual(after(retry, elsewhere), {
    to: 'continue',
    lookupState: { ...initialLookupState, source: 'acme', tries: 1, due: 2000 },
  });
});

test('polling uses up no attempt until its maximum, and continues after a failed attempt', () => {
  const lookupState = { ...initialLookupState, source: 'acme', polls: 1, poll: 'order-1', due: 3000 };
  assert.deepEqual(after(pending), { to: 'continue', lookupState });
  assert.deepEqual(run(pending, pending, { is: 'found', coverage }), { to: 'done', coverage, attempts: 1 });
  assert.deepEqual(run(pending, pending, pending), {
    to: 'continue',
    lookupState: { ...initialLookupState, source: 'acme', tries: 1, due: 2000 },
  });
  assert.deepEqual(run(pending, retry), {
    to: 'continue',
    lookupState: { ...lookupState, tries: 1, due: 2000 },
  });
});

test('a call that did not reach the source uses up no attempt', () => {
  assert.deepEqual(after({ is: 'unreachable', error: 'ECONNREFUSED' }), {
    to: 'continue',
    lookupState: waiting,
  });
});

test('a call without a response uses up an attempt, unless the source’s gate is shut', () => {
  const unanswered: Outcome = { is: 'retry', error: 'no answer', unanswered: true };
  assert.deepEqual(after(unanswered), after(retry));
  assert.deepEqual(after(unanswered, waiting, { isShut: true }), { to: 'continue', lookupState: waiting });
  assert.deepEqual(after(retry, waiting, { isShut: true }), after(retry));
});

test('a refusal uses up an attempt, unless the source’s gate is shut', () => {
  const quota: Outcome = { is: 'quota', error: 'HTTP 402' };
  assert.deepEqual(after(quota), {
    to: 'continue',
    lookupState: { ...initialLookupState, source: 'acme', tries: 1, due: 2000 },
  });
  assert.deepEqual(after(quota, initialLookupState, { isShut: true }), {
    to: 'continue',
    lookupState: waiting,
  });
  assert.deepEqual(run(quota, quota, quota), {
    to: 'failed',
    reason: 'Source unavailable',
    details: 'HTTP 402',
    attempts: 3,
  });
});
