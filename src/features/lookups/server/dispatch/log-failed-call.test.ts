import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import type { Exchange } from '#features/sources/sources.contract.ts';
import { makeBatch } from '#tests/support/lookups/source-queue.ts';
import { logFailedCall } from './log-failed-call.ts';

const { rows } = makeBatch(['imei']);
const [row = assert.fail()] = rows;
const exchange: Exchange = {
  request: { method: 'GET', url: 'https://shop.test', headers: {}, body: null },
  answer: { status: 500, headers: {}, body: `no answer for ${row.serial}: ${'x'.repeat(1000)}` },
  error: null,
  ms: 1,
};

test('at debug, each failed call has a line with the start of the answer, without the serial', () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  logFailedCall(log, 'shop', row, { is: 'retry', error: `HTTP 500 for ${row.serial}` }, exchange);
  logFailedCall(log, 'shop', row, { is: 'not_found' }, exchange);
  logFailedCall(log, 'shop', row, { is: 'unsent', error: 'beyond the limits' }, undefined);
  assert.equal(lines.length, 1);
  const { ticketId } = row.batch;
  assert.partialDeepStrictEqual(lines[0], {
    source: 'shop',
    ticketId,
    position: row.position,
    outcome: 'retry',
    error: 'HTTP 500 for [serial]',
    status: 500,
  });
  assert.match(String(lines[0]?.body), /^no answer for \[serial\]: x+$/);
  assert.equal(String(lines[0]?.body).length, 200);
});
