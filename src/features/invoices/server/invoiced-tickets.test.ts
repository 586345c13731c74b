import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dayIn } from '#shared/calendar-day.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { raceForLock } from '#tests/support/database/race.ts';
import type { Invoice } from '../invoices.contract.ts';

let api: TestApi;
let superadmin: TestUser;
const month = '2026-10';

before(async () => {
  api = await createTestApi();
  superadmin = await createUser(api, { superadmin: true });
});
after(() => api.close());

const send = (call: string, body?: unknown) =>
  api.send(call, { token: superadmin.token, ...(body !== undefined && { body }) });
const refusalOf = async (call: string, body?: unknown) => {
  const { statusCode, ...answer } = await send(call, body);
  const { code, message } = answer.json();
  return [statusCode, code, message];
};

/** Makes a ticket that ended in the month, with a row that a retry would look up again. */
async function endTicket({ companyCode, id }: TestUser, status: 'Completed' | 'Cancelled' = 'Completed') {
  const rows = [{ state: 'done' }, { state: 'failed', reason: 'Source unavailable' }] as const;
  const ticket = await createTicketWithRows(api, { companyCode, createdBy: id, status, rows: [...rows] });
  await api.context.db.query(`UPDATE tickets SET finished_at = '2026-10-10T00:00:00Z' WHERE id = $1`, [
    ticket.id,
  ]);
  return ticket;
}

async function draft({ companyCode }: TestUser): Promise<Invoice> {
  const made = await send('POST /api/invoices', { company_code: companyCode, month });
  assert.equal(made.statusCode, 201, made.body);
  return made.json();
}

async function act(call: string, body?: unknown): Promise<Invoice> {
  const answer = await send(call, body);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
}

const terms = { data_count: 2, discount: 50, current_dollar_price: 16_000 };

test('a ticket on an invoice that stands is not retried, and on an issued one neither edited nor deleted', async () => {
  const owner = await createUser(api);
  const { id, number } = await endTicket(owner, 'Cancelled');
  const retry = `POST /api/tickets/${id}/retry`;
  const { _id } = await draft(owner);
  assert.deepEqual(await refusalOf(retry), [
    409,
    'ticket_invoiced',
    `Ticket ${number} is on the draft invoice of 2026-10. Delete the draft first.`,
  ]);
  assert.equal((await send(`PUT /api/tickets/${id}`, terms)).statusCode, 200);
  const issued = await act(`POST /api/invoices/${_id}/issue`);
  assert.equal(issued.total, 400);
  const refused = [
    409,
    'ticket_invoiced',
    `Ticket ${number} is on invoice ${issued.number}. Correct the invoice by a credit note first.`,
  ];
  for (const change of ['', `POST /api/invoices/${_id}/pay`]) {
    if (change !== '') await act(change, { paid_at: dayIn('Asia/Jakarta', new Date()) });
    assert.deepEqual(await refusalOf(retry), refused);
    assert.deepEqual(await refusalOf(`PUT /api/tickets/${id}`, { ...terms, discount: 0 }), refused);
    assert.deepEqual(await refusalOf(`DELETE /api/tickets/${id}`), refused);
  }
  const statement = await send(`GET /api/statements?month=${month}&company_code=${owner.companyCode}`);
  assert.deepEqual(
    statement.json().data.map(({ total }: { total: number }) => total),
    [issued.total],
  );
  const indonesian = await api.send(retry, {
    token: superadmin.token,
    headers: { 'accept-language': 'id' },
  });
  assert.match(indonesian.json().message, new RegExp(`^Tiket ${number} ada di faktur ${issued.number}`));

  await act(`POST /api/invoices/${_id}/credit`, { reason: 'Repeat the rows' });
  assert.equal((await send(retry)).statusCode, 200);
});

test('only superadmins see whether a ticket is on an invoice', async () => {
  const owner = await createUser(api);
  const administrator = await createUser(api, { companyCode: owner.companyCode, companyAdmin: true });
  const { number } = await endTicket(owner);
  const other = await endTicket(owner);
  const listInvoices = async ({ token }: TestUser) => {
    const read = async (call: string) => (await api.send(`GET /api/${call}`, { token })).json();
    const find = `company_code=${owner.companyCode}&ticket_number=${number}`;
    const tickets = [
      (await read(`tickets/by-number?ticket_number=${number}`)).ticket,
      (await read('tickets/last')).ticket,
      (await read(`tickets/find?${find}`)).data[0],
      (await read(`imei?ticket_number=${number}`)).ticket,
      (await read(`tickets/compare?tickets=${number},${other.number}`)).first.ticket,
    ];
    return tickets.map(({ invoice }) => invoice);
  };
  const { _id } = await draft(owner);
  for (const kind of ['draft', 'issued']) {
    if (kind === 'issued') await act(`POST /api/invoices/${_id}/issue`);
    for (const user of [owner, administrator]) {
      assert.deepEqual(await listInvoices(user), Array(5).fill(null), kind);
    }
    assert.deepEqual(await listInvoices(superadmin), Array(5).fill(kind));
  }
});

test('deleting results and uploaded rows leaves statement and invoice as they are', async () => {
  const owner = await createUser(api);
  const { number } = await endTicket(owner);
  const issued = await act(`POST /api/invoices/${(await draft(owner))._id}/issue`);
  for (const data of ['imei', 'data']) {
    assert.equal((await send(`DELETE /api/${data}/${number}?forget_devices=true`)).statusCode, 200);
  }
  const statement = await send(`GET /api/statements?month=${month}&company_code=${owner.companyCode}`);
  assert.deepEqual(statement.json().data[0].tickets, issued.tickets);
});

test('an invoice that is drafted or issued while its ticket changes has the ticket as it is then, or not at all', async () => {
  const owner = await createUser(api);
  const { id } = await endTicket(owner);
  const lock: [string, unknown[]] = ['SELECT FROM tickets WHERE id = $1 FOR UPDATE', [id]];
  const race = async (...calls: [call: string, body?: unknown][]) =>
    (
      await raceForLock(
        api.context.db,
        lock,
        calls.map(
          ([call, body]) =>
            () =>
              send(call, body),
        ),
      )
    ).map((answer) => `${answer.statusCode} ${answer.json().code ?? answer.json().total ?? ''}`.trim());
  const retry = `POST /api/tickets/${id}/retry`;
  const create: [string, unknown] = ['POST /api/invoices', { company_code: owner.companyCode, month }];

  // The retry is first: nothing is left to invoice.
  assert.deepEqual(await race([retry], create), ['200', '409 nothing_to_invoice']);
  await send(`POST /api/tickets/${id}/cancel`);
  await api.context.db.query(`UPDATE tickets SET finished_at = '2026-10-10T00:00:00Z' WHERE id = $1`, [id]);
  // The draft is first: the retry is refused.
  assert.deepEqual(await race(create, [retry]), ['201 800', '409 ticket_invoiced']);
  const { data } = (await send(`GET /api/invoices?company_code=${owner.companyCode}`)).json();
  const issue = `POST /api/invoices/${data[0]._id}/issue`;
  const edit: [string, unknown] = [`PUT /api/tickets/${id}`, terms];
  // The edit is first: the draft no longer has the total that was confirmed.
  assert.deepEqual(await race(edit, [`${issue}?total=800`]), ['200', '409 changed_meanwhile']);
  // The issue is first.
  assert.deepEqual(await race([issue], edit, [`DELETE /api/tickets/${id}`]), [
    '200 400',
    '409 ticket_invoiced',
    '409 ticket_invoiced',
  ]);
});
