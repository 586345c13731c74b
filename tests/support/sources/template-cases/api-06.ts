import { device, failure } from './data-3023.ts';
import { imei, ok, type Template } from './template-case.ts';

export const api06: Template = {
  env: { API06_KEY: 'k', API06_TYPE: 'apple_warranty_pro' },
  cell: imei,
  call: `GET /api.php?key=k&type=apple_warranty_pro&sn=${imei}`,
  cases: [
    {
      reply: ok({
        code: 0,
        data: {
          model: 'iPhone 13',
          activated: 'true',
          estPurchaseDate: '2025-01-10',
          warrantyStatus: 'Limited Warranty',
          coverage: '2026-01-09',
        },
      }),
      outcome: 'found',
      row: ['iPhone 13', 'activated', '2025-01-10', 'Limited Warranty', null, '2026-01-09'],
    },
    {
      reply: ok({ code: 0, data: device }),
      outcome: 'found',
      row: ['iPhone 12', 'activated', '2025-01-10', 'Limited Warranty', null, '2026-01-09'],
    },
    { reply: failure(612), outcome: 'not_found' },
    { reply: failure(611), outcome: 'invalid' },
    { reply: ok({ code: '0612', message: 'input error' }), outcome: 'not_found' },
    { reply: failure(603), outcome: 'quota' },
    ...[601, 602, 604].map((code) => ({ reply: failure(code), outcome: 'auth' as const })),
    ...[605, 606, 607, 614, 615, 616, 999].map((code) => ({
      reply: failure(code),
      outcome: 'retry' as const,
    })),
  ],
};
