import fc from 'fast-check';
import { createTestApi, type TestApi } from '#tests/support/api.ts';
import { createUser } from '#tests/support/factories.ts';
import { makeWorkbook } from '#tests/support/make-workbook.ts';
import { startUpstream, upstreamEntry } from '#tests/support/upstream.ts';
import { waitFor } from '#tests/support/wait.ts';
import { prepareWorkers } from '#tests/support/worker-processes.ts';

const steps = [
  'upload',
  'cancel',
  'retry',
  'edit',
  'delete uploaded',
  'delete results',
  'delete ticket',
  'read',
] as const;
type Step = (typeof steps)[number];

/** Two lists of steps that happen to one ticket side by side, as two people would do them. */
const sequences = fc.tuple(
  fc.array(fc.constantFrom(...steps), { minLength: 2, maxLength: 8 }),
  fc.array(fc.constantFrom(...steps), { maxLength: 4 }),
);

/**
 * Lets two people at once do things in any order to a ticket that a real worker processes, and checks after every step
 * that the ticket's counters are those of its rows.
 * @returns what should not have been: one line for each, with the steps that show it
 */
export async function fuzzTickets(count: number, seed: number): Promise<string[]> {
  const [api, upstream] = await Promise.all([createTestApi(), startUpstream()]);
  const entry = upstreamEntry(upstream, { limits: { concurrency: 40 } });
  const workers = await prepareWorkers(api.context.databaseUrl, [entry]);
  const found: string[] = [];
  const answers = new Map<string, number>();
  try {
    await upstream.setLatency(5);
    await workers.start();
    const { token } = await createUser(api, { superadmin: true });
    const uploader = await createUser(api);
    const { companyCode } = uploader;
    const send = (call: string, body?: object) => api.send(call, { token, body });
    for (let done = 0; done < count; done++) {
      const [[mine, yours] = [[], []]] = fc.sample(sequences, { numRuns: 1, seed: seed + done });
      const created = await send('POST /api/tickets', { company_code: companyCode, data_count: 30 });
      const { _id: id, ticket_number: number } = created.json().ticket;
      const report = (fault: string) => found.push(`${fault} [ticket ${done}: ${mine} beside ${yours}]`);
      const play = async (list: readonly Step[]) => {
        for (const step of list) {
          const { statusCode, body } = await take(api, step === 'upload' ? uploader.token : token, step, {
            id,
            number,
          });
          const answer = `${step} ${statusCode}`;
          answers.set(answer, (answers.get(answer) ?? 0) + 1);
          if (statusCode >= 500) report(`${step} answers ${statusCode}: ${body.slice(0, 200)}`);
          for (const fault of await findMiscounted(api)) report(`after ${step}: ${fault}`);
        }
      };
      await Promise.all([play(['upload', ...mine]), play(yours)]);
    }
    await waitFor('every ticket to be at rest', async () => (await countRunning(api)) === 0).catch(() =>
      found.push('some tickets never came to rest'),
    );
    found.push(...(await findMiscounted(api)).map((fault) => `at rest: ${fault}`));
  } finally {
    await workers.close();
    await upstream.close();
    await api.close();
  }
  console.log(
    [...answers]
      .sort()
      .map(([answer, times]) => `${answer} × ${times}`)
      .join(', '),
  );
  return found;
}

let uploads = 0;

function take(api: TestApi, token: string, step: Step, { id, number }: { id: string; number: string }) {
  if (step === 'upload') {
    uploads += 1;
    const serials = Array.from({ length: 30 }, (_, n) => `FUZZ${uploads}X${String(n).padStart(5, '0')}`);
    const file = { field: 'excel', name: 'fuzz.xlsx', content: makeWorkbook(['Serial', ...serials, 'no!']) };
    return api.send('POST /api/data/upload', { token, file, fields: { ticket_number: number } });
  }
  const calls: Record<Exclude<Step, 'upload'>, [call: string, body?: object]> = {
    cancel: [`POST /api/tickets/${id}/cancel`],
    retry: [`POST /api/tickets/${id}/retry`],
    edit: [`PUT /api/tickets/${id}`, { data_count: 31, discount: 5, current_dollar_price: 16_000 }],
    'delete uploaded': [`DELETE /api/data/${number}`],
    'delete results': [`DELETE /api/imei/${number}`],
    'delete ticket': [`DELETE /api/tickets/${id}`],
    read: [`GET /api/imei?ticket_number=${number}&limit=100`],
  };
  const [call, body] = calls[step];
  return api.send(call, { token, body });
}

/** Tickets whose counters are not those of their rows, in one snapshot; those whose rows are deleted have none to count. */
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
