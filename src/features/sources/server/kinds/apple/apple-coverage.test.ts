import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAgreements, toCoverage } from './apple-coverage.ts';

const device = { deviceId: 'D1', model: 'iPhone 15', ordered: '2024-08-15T07:00:00Z' };

const agreement = (attributes: object) => ({ type: 'appleCareCoverage', id: '1', attributes });
const warranty = agreement({
  status: 'ACTIVE',
  paymentType: 'NONE',
  description: 'Limited Warranty',
  startDateTime: '2025-02-02T00:00:00Z',
  endDateTime: '2026-02-02T00:00:00Z',
  isCanceled: false,
  contractCancelDateTime: null,
});
const paidUp = agreement({
  status: 'ACTIVE',
  paymentType: 'PAID_UP_FRONT',
  description: 'AppleCare+',
  startDateTime: '2025-04-17T00:00:00Z',
  endDateTime: '2027-04-16T00:00:00Z',
  isCanceled: false,
  contractCancelDateTime: null,
});
const change = (of: typeof warranty, attributes: object) => agreement({ ...of.attributes, ...attributes });

function map(...data: unknown[]) {
  const { type, activation_status, purchase_date, ...rest } = toCoverage(
    device,
    readAgreements({ data }) ?? [],
    'Asia/Jakarta',
  );
  assert.deepEqual([type, activation_status, purchase_date], ['iPhone 15', null, '2024-08-15']);
  return rest;
}

test('of several agreements the latest end wins, from the earliest start', () => {
  const expected = {
    warranty_title: 'AppleCare+',
    coverage_start_date: '2025-02-02',
    coverage_end_date: '2027-04-16',
  };
  assert.deepEqual(map(warranty, paidUp), expected);
  assert.deepEqual(map(paidUp, warranty), expected);
});

test('a running subscription has no end, although it has a renewal date', () => {
  for (const paymentType of ['SUBSCRIPTION', 'ABE_SUBSCRIPTION']) {
    const running = change(paidUp, { paymentType, endDateTime: '2025-05-17T00:00:00Z' });
    assert.deepEqual(map(warranty, running, paidUp), {
      warranty_title: 'AppleCare+',
      coverage_start_date: '2025-02-02',
      coverage_end_date: null,
    });
  }
});

test('an ended subscription ends like any other agreement', () => {
  const over = change(paidUp, {
    status: 'INACTIVE',
    paymentType: 'SUBSCRIPTION',
    endDateTime: '2025-05-17T00:00:00Z',
  });
  assert.equal(map(over).coverage_end_date, '2025-05-17');
  assert.equal(map(warranty, over).coverage_end_date, '2026-02-02');
});

test('a canceled agreement ends when its contract was canceled', () => {
  const canceled = change(paidUp, { isCanceled: true, contractCancelDateTime: '2025-09-30T12:00:00Z' });
  assert.equal(map(canceled).coverage_end_date, '2025-09-30');
  assert.equal(map(warranty, canceled).warranty_title, 'Limited Warranty');
  const subscription = change(paidUp, {
    isCanceled: true,
    paymentType: 'SUBSCRIPTION',
    contractCancelDateTime: '2026-09-30T12:00:00Z',
  });
  assert.equal(map(warranty, subscription).coverage_end_date, '2026-09-30');
});

test('a device without usable agreements has unknown dates', () => {
  const nothing = { warranty_title: null, coverage_start_date: null, coverage_end_date: null };
  assert.deepEqual(map(), nothing);
  assert.deepEqual(map(agreement({}), { attributes: 7 }, null), nothing);
  assert.deepEqual(map(change(warranty, { startDateTime: '0001-01-01T00:00:00Z', endDateTime: 'never' })), {
    ...nothing,
    warranty_title: 'Limited Warranty',
  });
});
