import assert from 'node:assert/strict';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import pg from 'pg';
import { createTestApi, type Send, type TestApi } from '#tests/support/api/api.ts';
import { callerOf, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { uploadSheet } from '#tests/support/api/uploads.ts';
import { raceForLock } from '#tests/support/database/race.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { importSheet } from '../reading/import-sheet.ts';
import type { ImportTask } from '../reading/import-task.ts';

const first = '356938030010004';
const second = '356938030010012';

let api: TestApi;
let user: TestUser;
before(async () => {
  api = await createTestApi({
    MAX_UPLOAD_MB: '1',
    MAX_UPLOAD_ROWS: '500',
    PRICE_USD: '0.07',
    DOLLAR_RATE: '15000',
  });
});
beforeEach(async () => {
  user = await createUser(api);
});
after(() => api.close());

const upload = (content: Buffer | string, send?: Send) => uploadSheet(api, user, content, send);

describe('an order that waits for its rows', () => {
  const order = async (companyCode: string) => {
    const superadmin = await createUser(api, { superadmin: true });
    const body = { data_count: 99, company_code: companyCode };
    const answer = await api.send('POST /api/tickets', { token: superadmin.token, body });
    return {
      number: answer.json().ticket.ticket_number as string,
      id: answer.json().ticket._id as string,
      superadmin,
    };
  };
  const into = (ticket_number: string, cells = [first, 'bad1']) =>
    upload(makeWorkbook(cells), { fields: { ticket_number } });

  test('an order accepts one upload, which sets its count', async () => {
    const { number, id } = await order(user.companyCode);
    const answer = await into(number);
    assert.equal(answer.statusCode, 201, answer.body);
    const { ticket } = answer.json();
    assert.deepEqual(
      [ticket._id, ticket.ticket_number, ticket.data_count, ticket.total, ticket.failed, ticket.status],
      [id, number, 2, 2, 1, 'Pending'],
    );
    const again = await into(number);
    assert.deepEqual([again.statusCode, again.json().code], [409, 'ticket_taken']);
    const rows = await api.send(`GET /api/data/${number}`, { token: user.token });
    assert.equal(rows.json().pagination.totalItems, 2);
  });

  test('an order accepts uploads only from its company, by its number, while it is Pending', async () => {
    const other = await order((await createUser(api)).companyCode);
    assert.equal((await into(other.number)).statusCode, 404);
    assert.equal((await into('999999')).statusCode, 404);
    const malformed = await into('one');
    assert.deepEqual([malformed.statusCode, malformed.json().details[0].path], [400, 'ticket_number']);
    assert.deepEqual(await readdir(join(api.context.config.DATA_DIR, 'uploads')), []);
    const cancelled = await order(user.companyCode);
    await api.send(`POST /api/tickets/${cancelled.id}/cancel`, { token: cancelled.superadmin.token });
    assert.equal((await into(cancelled.number)).statusCode, 409);
  });

  describe('while another upload into it goes on', () => {
    /** Imports into an order, and runs `work` while the import waits before the end of its transaction. */
    const whileImporting = async (number: string, work: (client: pg.Client) => Promise<void>) => {
      const path = join(api.context.config.DATA_DIR, `${number}.xlsx`);
      await writeFile(path, makeWorkbook([first, second]));
      const client = new pg.Client({ connectionString: api.context.databaseUrl });
      await client.connect();
      try {
        await client.query('BEGIN');
        const task: ImportTask = {
          databaseUrl: api.context.databaseUrl,
          source: { kind: 'file', path, sheet: null, column: null, corrections: null, fields: null },
          fileName: 'first.xlsx',
          caller: callerOf(user),
          companyCode: user.companyCode,
          ticketNumber: Number(number),
          freshDays: null,
          askAgain: false,
          key: null,
          ownKey: null,
          maxRows: 500,
          price: '0.05',
          dollarRate: 16000,
          timeZone: 'Asia/Jakarta',
          locale: 'en',
          origin: { actor: null, token: null, address: null },
        };
        await importSheet(client, task, () => undefined);
        await work(client);
      } finally {
        await client.end();
        await rm(path);
      }
    };
    /** Returns the response to the second upload. It would time out if it waited for the first. */
    const intoBusy = async (number: string) => {
      const answer = await into(number);
      return [answer.statusCode, answer.json().code];
    };

    test('a second upload into an order is refused at once, and finds it filled afterwards', {
      timeout: 60_000,
    }, async () => {
      const { number } = await order(user.companyCode);
      await whileImporting(number, async (client) => {
        assert.deepEqual(await intoBusy(number), [409, 'ticket_busy']);
        await client.query('COMMIT');
      });
      const again = await into(number);
      assert.deepEqual([again.statusCode, again.json().code], [409, 'ticket_taken']);
      const ticket = await api.send(`GET /api/imei?ticket_number=${number}`, { token: user.token });
      assert.equal(ticket.json().data.length, 2);
    });

    test('a second upload into an order may be repeated when the first one fails', {
      timeout: 60_000,
    }, async () => {
      const { number } = await order(user.companyCode);
      await whileImporting(number, async (client) => {
        assert.deepEqual(await intoBusy(number), [409, 'ticket_busy']);
        await client.query('ROLLBACK');
      });
      assert.equal((await into(number)).statusCode, 201);
    });
  });

  test('an order that is cancelled or deleted while its import waits stays empty', async () => {
    const { db } = api.context;
    const lock = 'SELECT FROM tickets WHERE id = $1 FOR UPDATE';
    for (const [act, status, code] of [
      ['POST /api/tickets/ID/cancel', 409, 'ticket_taken'],
      ['DELETE /api/tickets/ID', 404, 'ticket_not_found'],
    ] as const) {
      const { number, id, superadmin } = await order(user.companyCode);
      const change = () => api.send(act.replace('ID', id), { token: superadmin.token });
      const [changed, imported] = await raceForLock(db, [lock, [id]], [change, () => into(number)]);
      assert.equal(changed?.statusCode, 200);
      assert.deepEqual([imported?.statusCode, imported?.json().code], [status, code]);
      assert.equal((await db.query('SELECT FROM serials WHERE ticket_id = $1', [id])).rowCount, 0);
      assert.equal((await db.query('SELECT FROM lookup_jobs WHERE ticket_id = $1', [id])).rowCount, 0);
    }
  });

  test('an order does not change when its sheet is refused', async () => {
    const { number } = await order(user.companyCode);
    assert.equal((await into(number, ['bad'])).statusCode, 422);
    assert.equal((await into(number)).statusCode, 201);
  });
});
