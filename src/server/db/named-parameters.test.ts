import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberParameters } from './statement.ts';

test('each name becomes one number, in the order of the text', () => {
  assert.deepEqual(
    numberParameters('SELECT :b::text, :a, (:b) WHERE x=:a AND y = ANY(:c)', ['a', 'b', 'c']),
    {
      text: 'SELECT $1::text, $2, ($1) WHERE x=$2 AND y = ANY($3)',
      names: ['b', 'a', 'c'],
    },
  );
});

test('a colon in a cast, a literal, a quoted name, a comment or an array slice begins no parameter', () => {
  for (const text of [
    `SELECT now()::date, '2026'::text, "a:b", 'it''s :x', E'\\':x\\\\', ':x' -- :x`,
    'SELECT /* :x\n :x */ 1, $$ :x $$, $body$ $$ :x $body$',
    'SELECT n[1:2], n[lo:hi], (n)[f(1):hi], n[m[1]:hi]',
  ]) {
    assert.deepEqual(numberParameters(text, []), { text, names: [] });
  }
  assert.equal(
    numberParameters(`SELECT 'a:x' || :x, ARRAY[:x::text], interval '1 h':: text -- it's\n, :x`, ['x']).text,
    `SELECT 'a:x' || $1, ARRAY[$1::text], interval '1 h':: text -- it's\n, $1`,
  );
});

test('a parameter that is not declared, not in the text, or numbered is refused', () => {
  const refuse = (text: string, declared: string[], message: RegExp) =>
    assert.throws(() => numberParameters(text, declared), message);
  refuse('SELECT :user, :kye', ['user', 'key'], /the parameter :kye is not declared/);
  refuse('UPDATE uploads SET rows = :rows', ['phase', 'rows'], /the text has no parameter :phase/);
  refuse("SELECT ':phase'", ['phase'], /the text has no parameter :phase/);
  refuse('SELECT $1, :user', ['user'], /a parameter has a name, not the number \$1/);
});
