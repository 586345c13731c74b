import { imei, ok, status, type Template } from './template-case.ts';

export const phonecheck: Template = {
  env: { PHONECHECK_TOKEN: 'master', PHONECHECK_SERVICE: 'coverage' },
  cell: imei,
  call: `GET /v2/imei/coverage/${imei}`,
  headers: { token_master: 'master' },
  cases: [
    {
      reply: ok({
        data: {
          imei,
          model: 'iPhone 12 Pro Max',
          manufacturer: 'Apple',
          warrantyStatus: 'Limited Warranty',
        },
        serviceProviders: [{ serviceId: '4', provider: 'saturn' }],
        fromCache: false,
      }),
      outcome: 'found',
      row: ['iPhone 12 Pro Max', null, null, 'Limited Warranty', null, null],
    },
    { reply: status(401, { msg: 'Missing authentication token' }), outcome: 'auth' },
    { reply: status(500, { msg: 'failed to validate token' }), outcome: 'auth' },
    { reply: status(500, { msg: 'system error' }), outcome: 'retry' },
    { reply: status(404, { msg: 'not found' }), outcome: 'not_found' },
  ],
};
