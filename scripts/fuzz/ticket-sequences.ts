import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser } from '#tests/support/api/factories.ts';
import { prepareWorkers } from '#tests/support/lookups/worker-processes.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { startUpstream, upstreamEntry } from '#tests/support/sources/upstream.ts';
import { waitFor } from '#tests/support/wait.ts';
import type { Runs } from './runs.ts';

type Ticket = { _id: string; ticket_number: string };
type Call = [call: string, body?: object];

/** The changes and reads of a ticket, besides an upload into it. */
const calls: Record<string, (ticket: Ticket) => Call> = {
  cancel: ({ _id }) => [`POST /api/tickets/${_id}/cancel`],
  retry: ({ _id }) => [`POST /api/tickets/${_id}/retry`],
  edit: ({ _id }) => [
    `PUT /api/tickets/${_id}`,
    { data_count: 31, discount: 5, current_dollar_price: 16_000 },
  ],
  'delete uploaded': ({ ticket_number }) => [`DELETE /api/data/${ticket_number}`],
  'delete results': ({ ticket_number }) => [`DELETE /api/imei/${ticket_number}`],
  'delete ticket': ({ _id }) => [`DELETE /api/tickets/${_id}`],
  read: ({ ticket_number }) => [`GET /api/imei?ticket_number=${ticket_number}&limit=100`],
};
const steps = fc.constantFrom('upload', ...Object.keys(calls));

type Steps = [first: string[], second: string[]];

/**
 * Two users change a ticket in any order while a real worker processes it. After each step, and when no ticket is running,
 * the counters of all tickets must match their rows.
 */
export async function fuzzTickets(runs: Runs): Promise<fc.RunDetails<Steps>> {
  const [api, upstream] = await Promise.all([createTestApi(), startUpstream()]);
  const entry = upstreamEntry(upstream, { limits: { concurrency: 40 } });
  const workers = await prepareWorkers(api.context.databaseUrl, [entry]);
  try {
    await upstream.setLatency(5);
    await workers.start();
    const { token } = await createUser(api, { superadmin: true });
    const uploader = await createUser(api);
    const play = async (ticket: Ticket, list: string[]) => {
      for (const step of list) {
        const [call, body] = calls[step]?.(ticket) ?? [];
        const sent = call ? api.send(call, { token, body }) : upload(api, uploader.token, ticket);
        const answer = await sent;
        assert.ok(answer.statusCode < 500, `${step} answers ${answer.statusCode}: ${answer.body}`);
        assert.deepEqual(await findMiscounted(api), [], `after ${step}`);
      }
    };
    const firstSteps = fc.array(steps, { minLength: 2, maxLength: 8 });
    const secondSteps = fc.array(steps, { maxLength: 4 });
    const property = fc.asyncProperty(firstSteps, secondSteps, async (first, second) => {
      const order = { company_code: uploader.companyCode, data_count: 30 };
      const created = await api.send('POST /api/tickets', { token, body: order });
      const { ticket } = created.json<{ ticket: Ticket }>();
      await Promise.all([play(ticket, ['upload', ...first]), play(ticket, second)]);
      await waitFor('every ticket to end', async () => (await countRunning(api)) === 0);
      assert.deepEqual(await findMiscounted(api), [], 'at the end');
    });
    return await fc.check(property, runs);
  } finally {
    await workers.close();
    await upstream.close();
    await api.close();
  }
}

let uploads = 0;

function upload(api: TestApi, token: string, { ticket_number }: Ticket) {
  uploads += 1;
  const serials = Array.from({ length: 30 }, (_, n) => `FUZZ${uploads}X${String(n).padStart(5, '0')}`);
  const file = { field: 'excel', name: 'fuzz.xlsx', content: makeWorkbook(['Serial', ...serials, 'no!']) };
  return api.send('POST /api/data/upload', { token, file, fields: { ticket_number } });
}

/** Describes the tickets whose counters differ from their rows, in one snapshot; not those whose rows are deleted. */
async function findMiscounted({ context }: TestApi): Promise<string[]> {
  const { rows } = await context.db.query<{ told: string }>(`
    SELECT format('ticket %s (%s) counts %s/%s/%s of rows %s/%s/%s', t.ticket_number, t.status,
      t.total, t.done, t.failed, s.total, s.done, s.failed) AS told
    FROM tickets t CROSS JOIN LATERAL (
      SELECT count(*) AS total, count(*) FILTER (WHERE state = 'done') AS done,
        count(*) FILTER (WHERE state = 'failed') AS failed
      FROM serials WHERE ticket_id = t.id) s
    WHERE NOT t.serial_deleted AND NOT t.coverage_deleted AND t.imported_at IS NOT NULL
      AND ((t.total, t.done, t.failed) <> (s.total, s.done, s.failed)
        OR t.activated + t.unactivated > t.done
        OR t.status = 'Completed' AND t.done + t.failed < t.total)`);
  return rows.map(({ told }) => told);
}

async function countRunning({ context }: TestApi): Promise<number> {
  const { rows } = await context.db.query<{ running: number }>(
    "SELECT count(*)::integer AS running FROM tickets WHERE status IN ('Pending', 'Processing') AND imported_at IS NOT NULL",
  );
  return rows[0]?.running ?? 0;
}
