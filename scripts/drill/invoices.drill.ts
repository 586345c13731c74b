import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { callApi } from '#tests/support/product/client.ts';
import type { Drill } from './drill.ts';
import { type DrilledProduct, onProduct } from './drilled-product.ts';

const rounds = 20;
const atOnce = 50;

type Issued = { _id: string; number: string };

const invoicesKilled: Drill = {
  title: `The product is killed ${rounds} times while ${atOnce} invoices are issued`,
  run: () =>
    onProduct({}, async (product) => {
      const issued: Issued[] = [];
      let interrupted = 0;
      for (let round = 1; round <= rounds; round++) {
        const drafts = await makeDrafts(product, atOnce);
        const calls = drafts.map((id) => issue(product, id).catch(() => undefined));
        await delay(30 * round);
        await product.process.killAll();
        const answers = (await Promise.all(calls)).filter((one) => one !== undefined);
        issued.push(...answers);
        if (answers.length < atOnce) interrupted += 1;
        await product.restart();
        await checkNumbers(product, issued);
      }
      for (const id of await listDrafts(product)) issued.push(await issue(product, id));
      const count = await checkNumbers(product, issued);
      assert.equal(count, rounds * atOnce);
      return `the numbers are 1 to ${count}, with ${interrupted} kills in between`;
    }),
};

const issue = (product: DrilledProduct, id: string) =>
  callApi<Issued>(product.admin, 'POST', `/invoices/${id}/issue`);

/** Makes drafts in the database, each with a ticket of its own. @returns their `_id`s */
async function makeDrafts(product: DrilledProduct, count: number): Promise<string[]> {
  return product.withDatabase(async (client) => {
    const { rows } = await client.query(
      `WITH company AS (SELECT company_code FROM clients LIMIT 1),
       made AS (INSERT INTO tickets (ticket_number, company_code, data_count, total, done, price, current_dollar_price, status, imported_at, finished_at)
         SELECT (SELECT coalesce(max(ticket_number), 0) FROM tickets) + n, company_code, 1, 1, 1, 0.05, 16000, 'Completed', now(), now()
         FROM company, generate_series(1, $1::int) AS n RETURNING ticket_number),
       drafts AS (INSERT INTO invoices (company_code, month, created_at)
         SELECT company_code, '2026-10-01', now() FROM company, generate_series(1, $1::int) RETURNING id),
       placed AS (INSERT INTO invoice_tickets (ticket_number, invoice_id)
         SELECT m.ticket_number, d.id FROM (SELECT ticket_number, row_number() OVER () AS place FROM made) m
         JOIN (SELECT id, row_number() OVER () AS place FROM drafts) d USING (place))
       SELECT id::text FROM drafts`,
      [count],
    );
    return rows.map(({ id }) => id);
  });
}

async function listDrafts(product: DrilledProduct): Promise<string[]> {
  const path = '/invoices?status=draft&limit=1000';
  const { data } = await callApi<{ data: Issued[] }>(product.admin, 'GET', path);
  return data.map(({ _id }) => _id);
}

/** Checks that numbers have no gaps or duplicates, and that each answered number is stored. @returns their count */
async function checkNumbers(product: DrilledProduct, issued: Issued[]): Promise<number> {
  return product.withDatabase(async (client) => {
    const { rows } = await client.query(
      `SELECT id::text, number, split_part(number, '/', 3)::int AS place FROM invoices WHERE number IS NOT NULL ORDER BY place`,
    );
    assert.deepEqual(
      rows.map(({ place }) => place),
      rows.map((_, index) => index + 1),
      'the numbers have no gaps or duplicates',
    );
    const numberOf = new Map(rows.map(({ id, number }) => [id, number]));
    for (const { _id, number } of issued)
      assert.equal(numberOf.get(_id), number, 'an answered number is stored');
    return rows.length;
  });
}

export const drills = { invoicesKilled };
