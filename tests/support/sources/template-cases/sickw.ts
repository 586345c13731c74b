import { imei, ok, status, type Template } from './template-case.ts';

const sickwResult = {
  'Model Name': 'iPhone 15 Pro',
  'IMEI Number': imei,
  'Activation Status': 'Activated',
  'Warranty Status': 'Apple Limited Warranty',
  'Estimated Purchase Date': '2025-01-10',
  'Coverage End Date': '2026-01-09',
};
const sickwError = (code: string, text: string) => ok({ status: 'error', result: `Error ${code}: ${text}` });
export const sickw: Template = {
  env: { SICKW_KEY: 'K-1 &', SICKW_SERVICE: '61' },
  cell: imei,
  call: `GET /api.php?format=beta&key=K-1%20%26&service=61&imei=${imei}`,
  cases: [
    {
      reply: ok({ status: 'success', result: sickwResult, price: '0.05', balance: '9.95', id: 77 }),
      outcome: 'found',
      row: ['iPhone 15 Pro', 'activated', '2025-01-10', 'Apple Limited Warranty', null, '2026-01-09'],
    },
    {
      reply: ok({
        status: 'success',
        result: { Model: 'iPad', 'Activation Status': 'Not Activated' },
        id: 78,
      }),
      outcome: 'found',
      row: ['iPad', 'unactivated', null, null, null, null],
    },
    {
      reply: ok({ status: 'success', result: 'Pending', id: 79 }),
      outcome: 'pending',
      poll: {
        id: '79',
        call: 'GET /api.php?format=beta&action=checkorder&key=K-1%20%26&id=79',
        reply: ok({ status: 'success', result: sickwResult, id: 79 }),
        outcome: 'found',
        row: ['iPhone 15 Pro', 'activated', '2025-01-10', 'Apple Limited Warranty', null, '2026-01-09'],
      },
    },
    {
      reply: ok({ status: 'success', result: 'Your order is pending', id: 80 }),
      outcome: 'pending',
      poll: {
        id: '80',
        call: 'GET /api.php?format=beta&action=checkorder&key=K-1%20%26&id=80',
        reply: ok({ status: 'success', result: 'Pending' }),
        outcome: 'pending',
      },
    },
    { reply: sickwError('R01', 'Not found'), outcome: 'not_found' },
    { reply: sickwError('E01', 'Wrong IMEI'), outcome: 'invalid' },
    { reply: sickwError('E02', 'Wrong SN'), outcome: 'invalid' },
    { reply: sickwError('B01', 'Low balance'), outcome: 'quota' },
    { reply: sickwError('S01', 'Wrong service'), outcome: 'auth' },
    { reply: sickwError('S02', 'Service inactive'), outcome: 'auth' },
    { reply: sickwError('A01', 'Wrong key'), outcome: 'auth' },
    { reply: sickwError('A03', 'Blocked'), outcome: 'auth' },
    { reply: sickwError('X99', 'Something new'), outcome: 'retry' },
    { reply: ok('<html>Maintenance</html>'), outcome: 'retry' },
    { reply: status(503, 'down'), outcome: 'retry' },
  ],
};
