import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { isRefused } from './write-or-isolate.ts';

const refusal = (code: string) => Object.assign(new pg.DatabaseError('no', 2, 'error'), { code });

test('a database error is a refusal unless its SQLSTATE class is transient', () => {
  const always = ['22021', '23505', '54000', '42P01', '42703', '42804', '42501', 'XX000', '21000', 'P0001'];
  for (const code of always) assert.equal(isRefused(refusal(code)), true, code);
  const passing = [
    '08006',
    '25006',
    '28P01',
    '3D000',
    '40001',
    '40P01',
    '53100',
    '55P03',
    '57014',
    '57P01',
    '58030',
  ];
  for (const code of passing) assert.equal(isRefused(refusal(code)), false, code);
});

test('a lost connection is never a refusal', () => {
  assert.equal(isRefused(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })), false);
  assert.equal(isRefused(new Error('Connection terminated unexpectedly')), false);
  assert.equal(isRefused(undefined), false);
});
