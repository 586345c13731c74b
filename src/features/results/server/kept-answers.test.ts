import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeptAnswers } from './kept-answers.ts';

/** Asks a keeper of two answers; the questions that had to be answered come to stand in `asked`. */
function keepTwo() {
  const kept = new KeptAnswers<string>(2);
  const asked: string[] = [];
  const ask = (question: string) =>
    kept.get(question, async () => {
      asked.push(question);
      return `${question}!`;
    });
  return { kept, asked, ask };
}

test('answers are kept, and given to whoever asks meanwhile', async () => {
  const { asked, ask } = keepTwo();
  assert.deepEqual(await Promise.all([ask('a'), ask('a')]), ['a!', 'a!']);
  assert.equal(await ask('a'), 'a!');
  assert.deepEqual(asked, ['a']);
});

test('of more answers than are kept the one goes that was not asked for the longest', async () => {
  const { asked, ask } = keepTwo();
  for (const question of ['a', 'b', 'a', 'c', 'a', 'b']) await ask(question);
  assert.deepEqual(asked, ['a', 'b', 'c', 'b']);
});

test('a failure is not kept', async () => {
  const { kept, asked, ask } = keepTwo();
  await assert.rejects(
    kept.get('a', () => Promise.reject(new Error('not now'))),
    /not now/,
  );
  assert.equal(await ask('a'), 'a!');
  assert.deepEqual(asked, ['a']);
});
