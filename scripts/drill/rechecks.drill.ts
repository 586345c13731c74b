import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import PostalMime from 'postal-mime';
import { callApi } from '#tests/support/product/client.ts';
import { waitFor } from '#tests/support/wait.ts';
import type { Drill } from './drill.ts';
import { type DrilledProduct, onProduct } from './drilled-product.ts';

const rounds = 20;
const rows = 200;

const rechecksKilled: Drill = {
  title: `The product is killed ${rounds} times during rechecks`,
  run: () =>
    onProduct({}, async (product) => {
      await product.untilCompleted(await product.upload(rows));
      const { client } = await callApi<{ client: { company_code: string } }>(
        product.user,
        'GET',
        '/clients/own',
      );
      const company = client.company_code;
      await prepare(product, company);
      for (let round = 1; round <= rounds; round++) {
        await product.withDatabase(async (db) => {
          await waitFor('the run of the day before', async () => !(await isDue(db)));
          await endLeases(db);
          await db.query('UPDATE rechecks SET next_on = $1', [`2020-01-${String(round).padStart(2, '0')}`]);
        });
        // The schedule begins its run at the next start; the one by hand is under way when the product is killed.
        const byHand = callApi(product.user, 'POST', `/rechecks/${company}/run`).catch(() => undefined);
        await delay(50 * round);
        await product.process.killAll();
        await byHand;
        await product.restart();
      }
      return await product.withDatabase(async (db) => {
        await endLeases(db);
        await waitFor('all runs to be reported', () => isOver(db), 600_000);
        return await check(product, db);
      });
    }),
};

/** Switches the schedule on, and adds a receiver of its reports. */
async function prepare({ user }: DrilledProduct, company: string): Promise<void> {
  await callApi(user, 'PUT', `/watch/${company}`, {
    active: false,
    cadence: 'weekly',
    day: 1,
    horizon_days: 30,
    language: 'en',
    receivers: ['ayu@example.test'],
  });
  const settings = { active: true, cadence: 'monthly', view_id: null, cap: 10 * rows };
  await waitFor('the registration of all devices', async () => {
    const { count } = await callApi<{ count: number }>(user, 'PUT', `/rechecks/${company}`, settings);
    return count === rows;
  });
}

/** Returns whether a run of the schedule is due. */
async function isDue(db: pg.Client): Promise<boolean> {
  const { rows: due } = await db.query("SELECT FROM rechecks WHERE next_on < '2021-01-01'");
  return due.length > 0;
}

/** Ends the leases of killed processes, which takes minutes otherwise. */
async function endLeases(db: pg.Client): Promise<void> {
  await db.query('UPDATE recheck_runs SET next_at = now()');
  await db.query('UPDATE watch_mails SET next_at = now()');
}

/** Returns whether every run of the schedule has a ticket, every ticket is reported, and every mail is sent. */
async function isOver(db: pg.Client): Promise<boolean> {
  const { rows: open } = await db.query(
    `SELECT FROM recheck_runs r LEFT JOIN own_imports o ON o.key = 'recheck ' || r.id
     WHERE o.key IS NULL AND r.due_on IS NOT NULL OR o.key IS NOT NULL AND NOT r.reported
     UNION ALL SELECT FROM watch_mails`,
  );
  return open.length === 0 && !(await isDue(db));
}

/** Checks that each run made one ticket, and that each ticket was mailed once, or twice with the same Message-ID. */
async function check({ dataDir }: DrilledProduct, db: pg.Client): Promise<string> {
  const { rows: runs } = await db.query<{ scheduled: boolean; ticket: string | null }>(
    `SELECT r.due_on IS NOT NULL AS scheduled, o.ticket_number::text AS ticket
     FROM recheck_runs r LEFT JOIN own_imports o ON o.key = 'recheck ' || r.id`,
  );
  const made = runs.flatMap(({ ticket }) => ticket ?? []);
  const { rows: tickets } = await db.query<{ number: string }>(
    `SELECT ticket_number::text AS number FROM tickets WHERE file_name LIKE 'recheck%'`,
  );
  assert.deepEqual(made.toSorted(), tickets.map(({ number }) => number).toSorted());
  const scheduled = runs.filter((run) => run.scheduled);
  assert.equal(scheduled.length, rounds, `${scheduled.length} runs of the schedule`);
  const outbox = join(dataDir, 'outbox');
  const idsOf = new Map<string, string[]>();
  let copies = 0;
  for (const name of (await readdir(outbox)).filter((file) => file.endsWith('.eml'))) {
    const { text = '', messageId = '' } = await PostalMime.parse(await readFile(join(outbox, name)));
    const [, ticket = ''] = /^Ticket (\d+) /m.exec(text) ?? [];
    idsOf.set(ticket, [...(idsOf.get(ticket) ?? []), messageId]);
  }
  for (const ids of idsOf.values()) {
    assert.equal(new Set(ids).size, 1, 'a repeated mail has the same Message-ID');
    assert.ok(ids.length <= 2, `a report was mailed ${ids.length} times`);
    copies += ids.length - 1;
  }
  assert.deepEqual([...idsOf.keys()].toSorted(), made.toSorted());
  return `each of ${rounds} runs made one ticket; ${copies} of ${made.length} were reported by two mails`;
}

export const drills = { rechecksKilled };
