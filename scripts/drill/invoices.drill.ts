import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
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

const companies = 200;
const ticketsEach = 50;
const kills = 12;
/** The goal for drafting, and for issuing and sending, without kills. */
const maxSeconds = 60;

const batchKilled: Drill = {
  title: `The invoices of ${companies} companies and ${companies * ticketsEach} tickets are drafted, issued and sent, with kills`,
  run: () =>
    onProduct({}, async (product) => {
      await makeMonths(product);
      const draft = await measure(() => runBatch(product, '2026-08', { do: 'draft' }));
      const issued = await measure(() => runBatch(product, '2026-08', { do: 'issue', send: true }));
      assert.ok(Math.max(draft, issued) < maxSeconds, `drafted in ${draft} s, issued in ${issued} s`);
      const undisturbed = await waitForMails(product);
      assert.deepEqual(undisturbed, { sent: companies, repeated: 0 }, 'each invoice is mailed once');
      let interrupted = 0;
      for (const work of [{ do: 'draft' }, { do: 'issue', send: true }]) {
        for (let kill = 1; kill <= kills; kill++) {
          const call = runBatch(product, '2026-09', work).then(
            () => true,
            () => false,
          );
          await delay(100 * kill);
          await product.process.killAll();
          if (!(await call)) interrupted += 1;
          await product.restart();
        }
        await runBatch(product, '2026-09', work);
      }
      assert.equal(await checkNumbers(product, []), 2 * companies);
      await checkBilledOnce(product);
      // A mail whose sending was killed waits for the end of its lease.
      await product.withDatabase((client) => client.query('UPDATE invoice_mails SET next_at = now()'));
      const mails = await waitForMails(product);
      assert.equal(mails.sent, 2 * companies, 'each invoice is mailed');
      // A mail that was sent but not yet noted is sent again: at most one per kill.
      assert.ok(mails.repeated <= kills, `${mails.repeated} mails were sent again`);
      return `drafted in ${draft} s, issued in ${issued} s; ${interrupted} kills in between; ${mails.sent} mails, of which ${mails.repeated} again with the same Message-ID`;
    }),
};

const runBatch = (product: DrilledProduct, month: string, body: object) =>
  callApi(product.admin, 'POST', '/invoices/batch', { month, ...body });

/** @returns seconds, rounded to tenths */
async function measure(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return Math.round((performance.now() - start) / 100) / 10;
}

/** Makes the companies, each with an address for invoices and tickets that ended in two months. */
async function makeMonths(product: DrilledProduct): Promise<void> {
  await product.withDatabase(async (client) => {
    await client.query(
      `INSERT INTO clients (company_name, company_code) SELECT 'Drill ' || n, 'DRL' || lpad(n::text, 3, '0') FROM generate_series(1, $1::int) n`,
      [companies],
    );
    await client.query(
      `INSERT INTO client_terms (company_code, discount, address, tax_number, invoice_emails)
       SELECT company_code, 0, '', '', ARRAY[lower(company_code) || '@example.test'] FROM clients WHERE company_code LIKE 'DRL%'`,
    );
    await client.query(
      `INSERT INTO tickets (ticket_number, company_code, data_count, total, done, price, current_dollar_price, status, imported_at, finished_at)
       SELECT (SELECT coalesce(max(ticket_number), 0) FROM tickets) + row_number() OVER (), company_code, 1, 1, 1, 0.05, 16000, 'Completed',
         month, month
       FROM clients, unnest('{2026-08-10,2026-09-10}'::timestamptz[]) AS month, generate_series(1, $1::int)
       WHERE company_code LIKE 'DRL%'`,
      [ticketsEach],
    );
  });
}

/** Checks that each company has one invoice of each month with all its tickets. */
async function checkBilledOnce(product: DrilledProduct): Promise<void> {
  await product.withDatabase(async (client) => {
    const { rows } = await client.query(
      `SELECT count(*)::int AS invoices, count(DISTINCT (company_code, month))::int AS billed,
         min(jsonb_array_length(tickets)) AS least, max(jsonb_array_length(tickets)) AS most FROM invoices`,
    );
    const counts = { invoices: 2 * companies, billed: 2 * companies, least: ticketsEach, most: ticketsEach };
    assert.deepEqual(rows, [counts]);
  });
}

/**
 * Waits until no mail waits. A message that is sent again after a kill has its Message-ID.
 * @returns the number of sent messages, and how often one was sent again
 */
async function waitForMails(product: DrilledProduct): Promise<{ sent: number; repeated: number }> {
  const deadline = performance.now() + 900_000;
  const count = () =>
    product.withDatabase(async (client) =>
      Number((await client.query('SELECT count(*) FROM invoice_mails')).rows[0].count),
    );
  while ((await count()) > 0) {
    assert.ok(performance.now() < deadline, 'all mails are sent');
    await delay(1000);
  }
  const folder = join(product.dataDir, 'outbox');
  const mails = await Promise.all(
    (await readdir(folder))
      .filter((name) => name.endsWith('.eml'))
      .map((name) => readFile(join(folder, name), 'utf8')),
  );
  const idOf = (mail: string) => /^Message-ID: (\S+)/im.exec(mail)?.[1];
  const sent = new Set(mails.map(idOf)).size;
  return { sent, repeated: mails.length - sent };
}

export const drills = { invoicesKilled, batchKilled };
