import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findKept, forgetAnswers, keepAnswer } from './kept-answers.ts';

test('kept answers: the latest of one session, a few of them, none of another', () => {
  assert.equal(findKept('a', 'q0'), undefined);
  for (let i = 0; i <= 20; i++) keepAnswer('a', `q${i}`, { tag: String(i), answer: i });
  assert.equal(findKept('a', 'q0'), undefined);
  assert.deepEqual(findKept('a', 'q20'), { tag: '20', answer: 20 });
  keepAnswer('a', 'q1', { tag: 'new', answer: 'new' });
  keepAnswer('a', 'q21', { tag: '21', answer: 21 });
  assert.deepEqual(findKept('a', 'q1'), { tag: 'new', answer: 'new' });
  assert.equal(findKept('a', 'q2'), undefined);
  forgetAnswers();
  keepAnswer('a', 'q1', { tag: 'late', answer: 'late' });
  assert.equal(findKept('b', 'q1'), undefined);
  // What was asked under the session before comes too late.
  keepAnswer('a', 'q1', { tag: 'late', answer: 'late' });
  assert.equal(findKept('b', 'q1'), undefined);
  assert.equal(findKept('a', 'q1'), undefined);
});
