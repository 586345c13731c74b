import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { pino } from 'pino';
import type { Exchange } from '#features/sources/sources.contract.ts';
import { makeBatch } from '#tests/support/lookups/source-queue.ts';
import { createFailedCalls } from './failed-calls.ts';

const { rows } = makeBatch(['imei']);
const [row = assert.fail()] = rows;
const exchange: Exchange = {
  request: { method: 'GET', url: 'https://shop.test', headers: {}, body: null },
  answer: { status: 500, headers: {}, body: `no answer for ${row.serial}: ${'x'.repeat(1000)}` },
  error: null,
  ms: 1,
};

function collect(level: 'debug' | 'info') {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level }, { write: (line: string) => lines.push(JSON.parse(line)) });
  return { lines, failedCalls: createFailedCalls(log) };
}

test('at debug, each failed call has a line with the start of the answer, without the serial', () => {
  const { lines, failedCalls } = collect('debug');
  assert.equal(failedCalls.areDetailed, true);
  failedCalls.note('shop', row, { is: 'retry', error: `HTTP 500 for ${row.serial}` }, exchange);
  failedCalls.note('shop', row, { is: 'not_found' }, exchange);
  failedCalls.note('shop', row, { is: 'unsent', error: 'beyond the limits' }, undefined);
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
  failedCalls.stop();
});

test('at info, failed calls are summed up once a minute, by source and outcome', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { lines, failedCalls } = collect('info');
  assert.equal(failedCalls.areDetailed, false);
  for (let n = 0; n < 3; n++) failedCalls.note('shop', row, { is: 'retry', error: 'HTTP 500' }, undefined);
  failedCalls.note('other', row, { is: 'auth', error: 'HTTP 401' }, undefined);
  mock.timers.tick(59_999);
  assert.deepEqual(lines, []);
  mock.timers.tick(1);
  assert.deepEqual(
    lines.map(({ failed }) => failed),
    [
      [
        { source: 'shop', outcome: 'retry', calls: 3 },
        { source: 'other', outcome: 'auth', calls: 1 },
      ],
    ],
  );
  mock.timers.tick(120_000);
  failedCalls.stop();
  assert.equal(lines.length, 1);
  mock.reset();
});
