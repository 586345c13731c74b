import { ok, status, type Template } from './template-case.ts';

export const lenovo: Template = {
  env: { LENOVO_CLIENT_ID: 'id' },
  cell: 'pf0abc12',
  call: 'POST /v2.5/warranty',
  headers: { clientid: 'id', 'content-type': 'application/x-www-form-urlencoded' },
  body: 'Serial=PF0ABC12',
  cases: [
    {
      reply: ok({
        Serial: 'PF0ABC12',
        Product: 'ThinkPad X1',
        InWarranty: true,
        Purchased: '2024-02-01T00:00:00Z',
        Warranty: [
          {
            ID: '1',
            Name: 'Base',
            Type: 'BASE',
            Start: '2024-02-03T00:00:00Z',
            End: '2025-02-02T00:00:00Z',
          },
          {
            ID: '2',
            Name: 'Premier',
            Type: 'UPGRADE',
            Start: '2024-02-03T00:00:00Z',
            End: '2027-02-02T00:00:00Z',
          },
        ],
        Contract: [
          {
            Contract: 'C1',
            SLA: 'Old',
            Status: 'EXPIRED',
            Start: '2020-01-01T00:00:00Z',
            End: '2029-01-01T00:00:00Z',
          },
        ],
      }),
      outcome: 'found',
      row: ['ThinkPad X1', null, '2024-02-01', 'Premier', '2024-02-03', '2027-02-02'],
    },
    {
      reply: ok({
        Serial: 'PF0ABC12',
        Product: 'ThinkPad X1',
        Warranty: [{ Name: 'Base', Start: '2024-02-03T00:00:00Z', End: '2025-02-02T00:00:00Z' }],
        Contract: [
          { SLA: 'Gold', Status: 'ACTIVE', Start: '2024-01-01T00:00:00Z', End: '2028-01-01T00:00:00Z' },
        ],
      }),
      outcome: 'found',
      row: ['ThinkPad X1', null, null, 'Gold', '2024-01-01', '2028-01-01'],
    },
    {
      reply: ok({ Serial: 'PF0ABC12', Product: 'ThinkPad X1', Warranty: [], Contract: null }),
      outcome: 'found',
      row: ['ThinkPad X1', null, null, null, null, null],
    },
    { reply: status(404, { Code: 100, Message: 'Unknown serial' }), outcome: 'not_found' },
    { reply: ok({ Code: 100 }), outcome: 'not_found' },
    { reply: ok({ Code: 101, Message: 'Machine type needed' }), outcome: 'invalid' },
    { reply: status(401), outcome: 'auth' },
  ],
};
