import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import pg from 'pg';
import { isTransientFailure } from './connection.ts';

test('a database that cannot be reached is a transient failure, a mistake in a statement is none', () => {
  const failure = (code: string) => Object.assign(new Error('failed'), { code });
  for (const code of [
    'ECONNREFUSED',
    'ENOTFOUND',
    'EHOSTUNREACH',
    'ENETUNREACH',
    '08006',
    '57P01',
    '40P01',
    '40001',
  ]) {
    assert.equal(isTransientFailure(failure(code)), true, code);
  }
  for (const code of ['23505', '42P01', '22021'])
    assert.equal(isTransientFailure(failure(code)), false, code);
});

test('a server that does not answer a new connection in time is a transient failure', async (t) => {
  const silent = createServer().listen(0, '127.0.0.1');
  t.after(() => silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const client = new pg.Client({ host: '127.0.0.1', port, connectionTimeoutMillis: 50 });
  await assert.rejects(client.connect(), (error: Error) => isTransientFailure(error));
});
