// A process with the cheapest possible read: Fastify, a pg pool and one prepared statement, without validation.
import Fastify from 'fastify';
import pg from 'pg';

pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
const pool = new pg.Pool({ connectionString: process.argv[2], max: 20 });
const app = Fastify({ logger: { level: 'warn' } });

app.get<{ Querystring: { ticket: string; first: string; limit: string } }>('/page', async ({ query }) => {
  const first = Number(query.first);
  const { rows } = await pool.query({
    name: 'page',
    text: `SELECT ticket_id, position, serial, original, state, reason, details, type, activation_status, purchase_date,
        warranty_title, coverage_start_date, coverage_end_date, fetched_at, source, attempts, egress, cached
      FROM serials WHERE ticket_id = $1 AND position BETWEEN $2 AND $3 ORDER BY position`,
    values: [query.ticket, first, first + Number(query.limit) - 1],
  });
  return { data: rows };
});

app.get<{ Querystring: { ticket: string } }>('/progress', async ({ query }) => {
  const { rows } = await pool.query({
    name: 'progress',
    text: `SELECT ticket_number, company_code, created_at, status, done, failed, total, waiting_for, waiting_source
      FROM tickets WHERE id = $1`,
    values: [query.ticket],
  });
  return rows[0];
});

process.on('disconnect', () => process.exit(0));
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }));
