import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '#features/sources/server/configuration/source.ts';
import { directEgress, type Egress } from './egress.ts';
import { createSourceGate } from './source-gate.ts';

const unlimited = { perSecond: null, concurrency: null };
const unreachable: Outcome = { is: 'unreachable', error: 'ECONNREFUSED' };
const refused: Outcome = { is: 'auth', error: 'HTTP 401' };

function open(egress?: Egress) {
  const gate = createSourceGate({ limits: { per_second: 10 }, remote: true }, egress);
  gate.limiter.setAllocation(unlimited);
  return gate;
}

/** Makes one call. @returns the failure that closed the gate */
function call(gate: ReturnType<typeof open>, outcome: Outcome, serial = 'S1') {
  const made = gate.start(performance.now());
  made.end(outcome);
  return made.judge(outcome, serial);
}

test('a gate is open, opens in some milliseconds, or is closed for one reason', () => {
  const gate = createSourceGate({ limits: { per_second: 10 }, remote: true });
  const look = () => gate.look(performance.now());
  assert.deepEqual(look(), { is: 'closed', why: 'unallocated' });
  gate.limiter.setAllocation({ perSecond: 0, concurrency: null }, undefined, true);
  assert.deepEqual(look(), { is: 'closed', why: 'elsewhere' });
  gate.limiter.setAllocation({ perSecond: 10, concurrency: 2 }, undefined, false);
  assert.deepEqual(look(), { is: 'open' });
  const permit = gate.start(performance.now()).permits.take();
  assert.ok('send' in permit && permit.send());
  const answer = look();
  assert.ok(answer.is === 'opens' && answer.inMs <= 100, JSON.stringify(answer));
  gate.start(performance.now());
  assert.deepEqual(look(), { is: 'closed', why: 'busy' });
  gate.follow('paused');
  assert.deepEqual(look(), { is: 'closed', why: 'paused' });
  gate.follow(null);
  gate.limiter.setAllocation(unlimited, 0);
  assert.deepEqual(look(), { is: 'closed', why: 'unallocated' }, 'the permits have expired');
});

test('rows wait at a gate that is closed for a moment, and leave one that is shut', () => {
  const gate = createSourceGate({ limits: {}, remote: true });
  assert.equal(gate.shutReason, null);
  gate.limiter.setAllocation({ perSecond: 0, concurrency: 0 }, undefined, true);
  assert.equal(gate.shutReason, 'elsewhere');
  gate.follow('quota');
  assert.equal(gate.shutReason, 'quota');
});

test('a source that is asked without a network has no limits', () => {
  assert.deepEqual(createSourceGate({ limits: {}, remote: false }).look(0), { is: 'open' });
});

test('a gate is closed without a proxy that becomes free', () => {
  const gate = open({ ...directEgress, waitMs: () => Number.POSITIVE_INFINITY });
  assert.deepEqual(gate.look(performance.now()), { is: 'closed', why: 'no_proxy' });
});

test('one call decides during a failure streak, and a full streak closes the gate', () => {
  const gate = open();
  assert.equal(call(gate, unreachable), undefined);
  const deciding = gate.start(performance.now());
  assert.deepEqual(gate.look(performance.now()), { is: 'closed', why: 'busy' });
  deciding.end(unreachable);
  assert.equal(deciding.judge(unreachable, 'S1'), undefined);
  assert.deepEqual(call(gate, unreachable), { cause: 'down', error: 'ECONNREFUSED' });
  assert.equal(gate.shutReason, 'down');
  assert.equal(call(gate, unreachable), undefined, 'a failed probe does not close it again');
  gate.follow(null);
  assert.equal(gate.shutReason, 'down', 'a state without the failure is outdated');
  gate.noteStored();
  gate.follow(null);
  assert.equal(call(gate, unreachable), undefined, 'a new streak has begun');
});

test('one call closes the gate if it proves that the source fails: about the account, or through proxies', () => {
  assert.deepEqual(call(open(), { ...refused, account: true })?.cause, 'auth');
  assert.deepEqual(call(open({ ...directEgress }), unreachable)?.cause, 'down');
  assert.equal(call(open({ ...directEgress }), refused), undefined);
});
