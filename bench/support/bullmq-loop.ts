// A process with a queue job per serial (BullMQ on Redis). Each job requests the service with undici and writes its row.
import { Queue, Worker } from 'bullmq';
import pg from 'pg';
import { Agent, request } from 'undici';

type Serial = { position: number; serial: string };

const [redisPort = '', databaseUrl = '', url = '', concurrency = '64', count = '1'] = process.argv.slice(2);
const connection = { host: '127.0.0.1', port: Number(redisPort), maxRetriesPerRequest: null };
const agent = new Agent({ connections: Number(concurrency), pipelining: 1 });
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });

const queue = new Queue('lookups', { connection });
const jobs = Array.from({ length: Number(count) }, (_, n) => ({
  name: 'lookup',
  data: { position: n + 1, serial: `BULL${String(n).padStart(6, '0')}` },
  opts: { removeOnComplete: true },
}));
for (let from = 0; from < jobs.length; from += 5000) await queue.addBulk(jobs.slice(from, from + 5000));

let done = 0;
const { promise: finished, resolve } = Promise.withResolvers<void>();
const began = performance.now();
const worker = new Worker<Serial>(
  'lookups',
  async ({ data: { position, serial } }) => {
    const answer = await request(`${url}/v1/coverage/${serial}`, { dispatcher: agent });
    const body = (await answer.body.json()) as { model: string; end: string };
    await pool.query(
      `WITH written AS (
         UPDATE serials SET state = 'done', type = $2, activation_status = 'activated', coverage_end_date = $3,
           fetched_at = now(), source = 'bullmq', attempts = 1
         WHERE ticket_id = 1 AND position = $1 AND state = 'pending' RETURNING 1)
       UPDATE tickets SET done = done + (SELECT count(*) FROM written) WHERE id = 1`,
      [position, body.model, body.end],
    );
    done += 1;
    if (done === Number(count)) resolve();
  },
  { connection, concurrency: Number(concurrency) },
);
await finished;
process.send?.((Number(count) * 1000) / (performance.now() - began));
await worker.close();
await queue.obliterate({ force: true });
await queue.close();
await pool.end();
await agent.close();
process.exit(0);
