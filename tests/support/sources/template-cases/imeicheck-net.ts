import { imei, ok, status, type Template } from './template-case.ts';

export const imeicheckNet: Template = {
  env: { IMEICHECK_TOKEN: 'secret token' },
  cell: imei,
  call: 'POST /v1/checks',
  headers: {
    authorization: 'Bearer secret token',
    'accept-language': 'en',
    'content-type': 'application/json',
  },
  body: JSON.stringify({ deviceId: imei, serviceId: 1 }),
  cases: [
    {
      reply: status(201, {
        id: 'ATUk0AdDTnz',
        type: 'api',
        status: 'successful',
        service: { id: 1, title: 'Apple Basic Info' },
        amount: '0.10',
        deviceId: imei,
        properties: {
          deviceName: 'iPhone 11 Pro',
          estPurchaseDate: 1_736_470_800,
          warrantyStatus: 'AppleCare Protection Plan',
          repairCoverage: 'false',
        },
      }),
      outcome: 'found',
      row: ['iPhone 11 Pro', null, '2025-01-10', 'AppleCare Protection Plan', null, null],
    },
    {
      reply: status(201, { id: 'ABC', status: 'processing', properties: null }),
      outcome: 'pending',
      poll: {
        id: 'ABC',
        call: 'GET /v1/checks/ABC',
        reply: ok({ id: 'ABC', status: 'successful', properties: { deviceName: 'iPhone 11 Pro' } }),
        outcome: 'found',
        row: ['iPhone 11 Pro', null, null, null, null, null],
      },
    },
    { reply: status(201, { id: 'A', status: 'unsuccessful', properties: {} }), outcome: 'not_found' },
    { reply: status(201, { id: 'A', status: 'failed', properties: {} }), outcome: 'retry' },
    { reply: status(401, { message: 'Unauthenticated.' }), outcome: 'auth' },
    { reply: status(403, { code: 'ip_not_allowed', message: 'IP is not whitelisted' }), outcome: 'auth' },
    { reply: status(404, { message: 'Not found' }), outcome: 'auth' },
    {
      reply: status(422, { errors: { serviceId: ['The selected serviceId is invalid.'] } }),
      outcome: 'auth',
    },
    { reply: status(422, { errors: { deviceId: ['The deviceId is invalid.'] } }), outcome: 'invalid' },
    { reply: status(402, { message: 'Not enough funds' }), outcome: 'quota' },
    { reply: status(429, {}, { 'retry-after': '3' }), outcome: 'throttled', retryAfterMs: 3000 },
  ],
};
