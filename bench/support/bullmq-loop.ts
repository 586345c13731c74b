// A process with a queue job per serial (BullMQ on Redis). Each job requests the service with undici and writes its row.
import { Queue, Worker } from 'bullmq';
import pg from 'pg';
import { Agent, request } from 'undici';

type Serial = { position: number; serial: string };

const [redisPort = '', databaseUrl = '', url = '', concurrency = '64', count = '1'] = process.argv.slice(2);
const connection = { host: '127.0.0.1', port: Number(redisPort), maxRetriesPerRequest: null };
const agent = new Agent({ connections: Number(concurrency), pipelining: 1 });
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });

await pool.query('DROP TABLE IF EXISTS bull_serials, bull_tickets');
await pool.query('CREATE TABLE bull_tickets (done integer)');
await pool.query('INSERT INTO bull_tickets VALUES (0)');
await pool.query(
  `CREATE TABLE bull_serials (position integer PRIMARY KEY, serial text, state text, type text, activation_status text,
     coverage_end_date date, fetched_at timestamptz, source text, attempts smallint)`,
);
await pool.query(
  "INSERT INTO bull_serials (position, serial, state) SELECT n, 'BULL' || n, 'pending' FROM generate_series(1, $1::integer) n",
  [Number(count)],
);
await pool.query('ANALYZE bull_serials');
const queue = new Queue('lookups', { connection });
const jobs = Array.from({ length: Number(count) }, (_, n) => ({
  name: 'lookup',
  data: { position: n + 1, serial: `BULL${n + 1}` },
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
         UPDATE bull_serials SET state = 'done', type = $2, activation_status = 'activated', coverage_end_date = $3,
           fetched_at = now(), source = 'bullmq', attempts = 1
         WHERE position = $1 AND state = 'pending' RETURNING 1)
       UPDATE bull_tickets SET done = done + (SELECT count(*) FROM written)`,
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
await pool.query('DROP TABLE bull_serials, bull_tickets');
await pool.end();
await agent.close();
process.exit(0);
