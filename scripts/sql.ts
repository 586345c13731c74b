// A look into the database of a running product: npm run sql -- "SELECT ticket_number, status FROM tickets".
// It reads only; DATABASE_URL, or the embedded database of DATA_DIR (`data/dev` unless it is set).
import { resolve } from 'node:path';
import pg from 'pg';
import { findEmbeddedUrl } from '#server/postgres/find-embedded.ts';

const statement = process.argv.slice(2).join(' ').trim();
if (!statement) {
  console.error('usage: npm run sql -- "SELECT … FROM …"');
  process.exit(2);
}
const dataDir = resolve(process.env.DATA_DIR || './data/dev');
const url = process.env.DATABASE_URL || (await findEmbeddedUrl(dataDir));
if (!url) {
  console.error(`No database runs in ${dataDir}: start the product first, or set DATA_DIR or DATABASE_URL.`);
  process.exit(1);
}
const client = new pg.Client({
  connectionString: url,
  options: '-c default_transaction_read_only=on -c statement_timeout=60s',
});
try {
  await client.connect();
  const { rows, command, rowCount } = await client.query(statement);
  if (rows.length > 0) console.table(rows);
  console.log(`${command}: ${rowCount ?? 0} rows`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await client.end().catch(() => undefined);
}
