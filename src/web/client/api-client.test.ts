import assert from 'node:assert/strict';
import { test } from 'node:test';
import { urlOf } from './api-client.ts';
import { ApiFailure, describeFailure } from './failure.ts';

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
