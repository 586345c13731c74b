import assert from 'node:assert/strict';
import { test } from 'node:test';
import { urlOf } from './api-client.ts';
import { ApiFailure, describeFailedChange, describeFailure, isEndUnknown } from './failure.ts';

test('a URL has encoded parameters, and no empty parts of the query', () => {
  assert.equal(urlOf('GET /clients', {}), '/api/clients');
  assert.equal(
    urlOf('PUT /clients/status/{id}', { params: { id: 'a/b c' } }),
    '/api/clients/status/a%2Fb%20c',
  );
  assert.equal(
    urlOf('GET /imei', { query: { page: 2, ticket_number: undefined, q: '', status: 'active' } }),
    '/api/imei?page=2&status=active',
  );
});

test('a failure shows the server’s message, else the screen’s', () => {
  assert.equal(describeFailure(new ApiFailure(409, { message: 'Taken' }), 'Failed'), 'Taken');
  assert.equal(describeFailure(new ApiFailure(500, { error: 'Disk full' }), 'Failed'), 'Disk full');
  assert.equal(describeFailure(new ApiFailure(502, '<html>'), 'Failed'), 'Failed');
  assert.equal(describeFailure(new ApiFailure(0, null), 'Failed'), 'Failed');
  assert.equal(describeFailure(new TypeError('x is not a function'), 'Failed'), 'Failed');
});

test('a change without an answer may have been made, which replaces the consequence in its text', () => {
  const text = 'Failed to change PT. Wombat. It is unchanged; please try again.';
  const mayBeMade =
    'Failed to change PT. Wombat.\nNo answer arrived. The change may have been made: check before you try again.';
  const messageOf = (status: number, body: unknown) =>
    describeFailedChange(new ApiFailure(status, body), text);
  assert.equal(messageOf(0, null), mayBeMade);
  assert.equal(messageOf(502, '<html>'), mayBeMade);
  assert.equal(messageOf(504, null), mayBeMade);
  assert.equal(messageOf(413, '<html>'), text);
  assert.equal(messageOf(500, null), text);
  assert.equal(messageOf(504, { message: 'Too late' }), 'Too late');
  const fixed = describeFailedChange(new ApiFailure(0, null), 'Failed to create ticket');
  assert.match(fixed, /^Failed to create ticket\nNo answer arrived\./);
});

test('the end is unknown where the product did not say it', () => {
  const known = [new ApiFailure(409, {}), new ApiFailure(422, {}), new ApiFailure(401, {})];
  assert.deepEqual(known.map(isEndUnknown), [false, false, false]);
  const unknown = [
    new ApiFailure(0, null),
    new ApiFailure(502, null),
    // A file that cannot be read any more after a broken connection: the server may have it.
    new ApiFailure(410, null),
    new DOMException('Called off', 'AbortError'),
  ];
  assert.deepEqual(unknown.map(isEndUnknown), [true, true, true, true]);
});
