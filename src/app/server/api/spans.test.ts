import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SpanStatusCode } from '@opentelemetry/api';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { uploadSheet } from '#tests/support/api/uploads.ts';
import { type RecordedSpans, recordSpans } from '#tests/support/record-spans.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { waitFor } from '#tests/support/wait.ts';

let spans: RecordedSpans;
let api: TestApi;
let user: TestUser;
before(async () => {
  spans = recordSpans();
  api = await createTestApi();
  user = await createUser(api);
});
after(async () => {
  await api.close();
  spans.stop();
});

const serial = '350000000000006';

test('an upload has a span with the span of its import below, and no serial or secret is in them', async () => {
  const { ticket } = (await uploadSheet(api, user, makeWorkbook(['IMEI', serial]))).json();
  // A response ends after its caller has got it.
  await waitFor('the span', async () => spans.ended().some(({ name }) => name === 'POST /api/data/upload'));
  const [request, imported] = [spans.named('POST /api/data/upload'), spans.named('import')];
  assert.equal(request.parentSpanContext, undefined);
  assert.deepEqual(request.attributes, {
    'http.request.method': 'POST',
    'http.route': '/api/data/upload',
    'http.response.status_code': 201,
  });
  assert.equal(imported.parentSpanContext?.spanId, request.spanContext().spanId);
  assert.deepEqual(imported.attributes, {
    'coverdesk.company': user.companyCode,
    'coverdesk.ticket': Number(ticket._id),
    'coverdesk.rows': 1,
  });
  const written = JSON.stringify(
    spans.ended().map(({ name, attributes, status }) => [name, attributes, status]),
  );
  for (const secret of [serial, user.token, user.password]) assert.ok(!written.includes(secret), secret);
});

test('a request without a route has no address in its span, and a refused import is marked without its reason', async () => {
  await api.send('GET /api/reset-password/a-secret');
  const nowhere = await waitFor('the span', async () =>
    spans.ended().find(({ attributes }) => attributes['http.response.status_code'] === 404),
  );
  assert.doesNotMatch(JSON.stringify([nowhere.name, nowhere.attributes]), /a-secret/);
  const before = spans.ended().length;
  const refused = await uploadSheet(api, user, makeWorkbook(['IMEI', 'no serial']));
  assert.equal(refused.statusCode, 422);
  const imported = spans
    .ended()
    .slice(before)
    .find(({ name }) => name === 'import');
  assert.deepEqual(imported?.status, { code: SpanStatusCode.ERROR });
});
