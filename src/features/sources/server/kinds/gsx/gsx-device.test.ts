import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceAnswer, toCoverage } from './gsx-device.ts';

const map = (device: unknown) => toCoverage(deviceAnswer.parse({ device }).device, 'Asia/Jakarta');

const whole = {
  identifiers: { serial: 'F17XK1ABCD12', imei: '353901102345671' },
  productDescription: 'iPhone 15 Pro',
  configDescription: 'IPHONE 15 PRO,256GB,BLACK',
  warrantyInfo: {
    warrantyStatusCode: 'LI',
    warrantyStatusDescription: 'Apple Limited Warranty',
    purchaseDate: '2025-01-10',
    coverageStartDate: '2025-01-10T00:00:00Z',
    coverageEndDate: '2026-01-09T00:00:00Z',
    contractCoverageStartDate: '2025-01-12T00:00:00Z',
    contractCoverageEndDate: '2027-01-11T00:00:00Z',
  },
  activationDetails: { firstActivationDate: '2025-01-11T03:04:05Z', unlocked: true },
};

test('maps a device with a warranty and a contract', () => {
  assert.deepEqual(map(whole), {
    type: 'iPhone 15 Pro',
    activation_status: 'activated',
    purchase_date: '2025-01-10',
    warranty_title: 'Apple Limited Warranty',
    coverage_start_date: '2025-01-10',
    coverage_end_date: '2027-01-11',
  });
});

test('the later of warranty and contract counts as the end', () => {
  const warrantyInfo = { ...whole.warrantyInfo, contractCoverageEndDate: '2025-06-30' };
  assert.equal(map({ ...whole, warrantyInfo }).coverage_end_date, '2026-01-09');
});

test('activation is known only if GSX returns its details', () => {
  const statusOf = (activationDetails: unknown) => map({ ...whole, activationDetails }).activation_status;
  assert.equal(statusOf({}), 'unactivated');
  assert.equal(statusOf({ firstActivationDate: '' }), 'unactivated');
  assert.equal(statusOf({ firstActivationDate: null }), 'unactivated');
  assert.equal(statusOf({ firstActivationDate: 'soon' }), null);
  assert.equal(statusOf(null), null);
  assert.equal(statusOf(undefined), null);
  assert.equal(statusOf('none'), null);
});

test('missing and malformed fields stay unknown', () => {
  const nothing = {
    type: null,
    activation_status: null,
    purchase_date: null,
    warranty_title: null,
    coverage_start_date: null,
    coverage_end_date: null,
  };
  assert.deepEqual(map({}), nothing);
  assert.deepEqual(map({ productDescription: {}, warrantyInfo: [], activationDetails: 3 }), nothing);
  assert.equal(map({ configDescription: ' MacBook Air ' }).type, 'MacBook Air');
  const warrantyInfo = { ...whole.warrantyInfo, purchaseDate: '0000-00-00', coverageStartDate: '1900-01-01' };
  const hazy = map({ warrantyInfo });
  assert.deepEqual([hazy.purchase_date, hazy.coverage_start_date], [null, '2025-01-12']);
});
