import { imei, ok, status, type Template } from './template-case.ts';

export const imeiInfo: Template = {
  env: { IMEI_INFO_KEY: 'k', IMEI_INFO_SERVICE: '12' },
  cell: imei,
  call: `GET /api/check/12/?API_KEY=k&imei=${imei}`,
  cases: [
    {
      reply: ok({
        id: 5,
        status: 'Done',
        result: {
          model: 'iPhone 15',
          warranty_status: 'Limited Warranty',
          purchase_date: '2025-01-10',
          warranty_expires: '2026-01-09',
          activated: 'Yes',
        },
      }),
      outcome: 'found',
      row: ['iPhone 15', 'activated', '2025-01-10', 'Limited Warranty', null, '2026-01-09'],
    },
    {
      reply: status(202, { history_id: 4711, ulid: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }),
      outcome: 'pending',
      poll: {
        id: '4711',
        call: 'GET /api/search_history/4711/?API_KEY=k',
        reply: ok({ id: 4711, status: 'Done', result: { model: 'iPhone 15' } }),
        outcome: 'found',
        row: ['iPhone 15', null, null, null, null, null],
      },
    },
    {
      reply: status(202, { history_id: 4712 }),
      outcome: 'pending',
      poll: {
        id: '4712',
        call: 'GET /api/search_history/4712/?API_KEY=k',
        reply: ok({ status: 'In_progress' }),
        outcome: 'pending',
      },
    },
    { reply: ok({ id: 6, status: 'Rejected', result: null }), outcome: 'invalid' },
    { reply: status(401, { detail: 'Invalid API key' }), outcome: 'auth' },
    { reply: status(403, { detail: 'API key was not provided' }), outcome: 'auth' },
    { reply: status(404, { detail: 'Not found.' }), outcome: 'auth' },
    { reply: status(400, { detail: 'Not enough balance' }), outcome: 'quota' },
    { reply: status(429, {}, { 'retry-after': '9' }), outcome: 'throttled', retryAfterMs: 9000 },
    { reply: ok({ status: 'Unheard of' }), outcome: 'retry' },
  ],
};
