import { imei, ok, type Template } from './template-case.ts';

/** The service's data about a device. 06api has the same format. */
export const device = {
  sn: 'F17XK1ABC01',
  imei,
  imei2: '',
  model: 'iPhone 12',
  activated: true,
  purchase: { date: '2025-01-10', validated: true },
  activation: { date: '2025-01-11' },
  coverage: { status: 'Limited Warranty', description: 'Active', date: '2026-01-09', 'days-remaining': 50 },
  applecare: false,
};
const paid = (data: object) => ok({ code: 0, data, source: 'c-h', cost: 1.2, balance: 3023 });
/** A failure with status 200. */
export const failure = (code: number) => ok({ code, message: 'in words' });

export const data3023: Template = {
  env: { DATA3023_KEY: 'key' },
  cell: 'F17XK1ABC01',
  call: 'GET /apple/coverage-activation?sn=F17XK1ABC01&lang=en',
  headers: { key: 'key' },
  cases: [
    {
      reply: paid(device),
      outcome: 'found',
      row: ['iPhone 12', 'activated', '2025-01-10', 'Limited Warranty', null, '2026-01-09'],
    },
    {
      reply: paid({
        ...device,
        activated: false,
        purchase: { date: '2025-01' },
        coverage: { status: 'Out Of Warranty', date: 'Expired' },
      }),
      outcome: 'found',
      row: ['iPhone 12', 'unactivated', null, 'Out Of Warranty', null, null],
    },
    {
      reply: paid({
        model: 'iPhone 12',
        activated: '',
        purchase: { date: '' },
        coverage: { date: 'Active' },
      }),
      outcome: 'found',
      row: ['iPhone 12', null, null, null, null, null],
    },
    { reply: failure(404), outcome: 'not_found' },
    { reply: failure(400), outcome: 'invalid' },
    { reply: failure(401), outcome: 'auth' },
    { reply: failure(402), outcome: 'quota' },
    { reply: failure(403), outcome: 'auth' },
    { reply: failure(410), outcome: 'auth' },
    { reply: failure(502), outcome: 'retry' },
    { reply: failure(503), outcome: 'retry' },
    { reply: failure(777), outcome: 'retry' },
  ],
};
