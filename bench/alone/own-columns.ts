import pg from 'pg';
import { callApi, uploadWorkbook } from '../../tests/support/product/client.ts';
import { waitFor } from '../../tests/support/wait.ts';
import { type Goal, quantile } from '../support/figures.ts';
import { imeiSource, type Stage } from '../support/stage.ts';
import { timeReads, withStored } from '../support/stored-calls.ts';

/** The companies that share the stored devices: many, as of a product, and one that has them all. */
const shares = [200, 1];

export const goals: Goal[] = [
  { figure: 'import with nine own columns, CPU', unit: 's', peer: 'without', better: 'smaller', goal: 1.3 },
  { figure: 'import with nine own columns, time', unit: 's', peer: 'without', better: 'smaller', goal: 1.3 },
  ...shares.map(
    (companies): Goal => ({
      figure: `filtered page, ${companies} companies: p95`,
      unit: 'ms',
      better: 'smaller',
      goal: 100,
    }),
  ),
];

const filters = [
  ...['field.f1=employee%20777', 'field.f2=site%203', 'field.f1.contains=77', 'field.f3.empty=true'],
  ...['field.f2=site%203&activation=activated', 'field.f2=site%203&sort=coverage_end_date', 'sort=field.f1'],
  ...[
    'field.f9.contains=9&field.f2=site%207',
    'sort=field.f2&order=desc',
    'field.f3.empty=false&expired=true',
  ],
];
const pages = filters.map((filter) => `/devices?limit=50&${filter}`);

/** Measures imports with a mapping beside imports without, then filtered pages of devices with ten own columns. */
export async function measure(stage: Stage): Promise<void> {
  await measureImports(stage);
  for (const companies of shares) {
    const rows = Math.min(200, Math.ceil(stage.rows / companies));
    const stored = { tickets: Math.ceil(stage.rows / rows), rows, companies };
    await withStored(stage, stored, async ({ product, user }) => {
      await storeFields(product.databaseUrl);
      const times = await timeReads(user, pages, stage.rounds);
      stage.figures.add(`filtered page, ${companies} companies: p95`, 'ours', quantile(times, 0.95));
    });
  }
}

/** Uploads the large sheet with and without a mapping in turn. Its source is paused, so that no lookup begins beside it. */
async function measureImports(stage: Stage): Promise<void> {
  const { content } = await stage.sheet();
  const [product] = await stage.products();
  if (!product) return;
  const { admin, user, databaseUrl } = product;
  await callApi(admin, 'POST', `/sources/${imeiSource}/pause`, {});
  await withDatabase(databaseUrl, (client) => client.query(insertFields));
  const mapping = Object.fromEntries([...'BCDEFGHIJ'].map((letter, nth) => [letter, `f${nth + 1}`]));
  for (let round = 0; round < stage.rounds; round++) {
    for (const [contender, fields] of [['without', {}] as const, ['ours', mapping] as const]) {
      const began = performance.now();
      const { result, ...usage } = await product.use(() => uploadWorkbook(user, content, undefined, fields));
      stage.figures.add('import with nine own columns, time', contender, (performance.now() - began) / 1000);
      stage.figures.add('import with nine own columns, CPU', contender, usage.cpu + usage.databaseCpu);
      await callApi(admin, 'POST', `/tickets/${result.ticket._id}/cancel`, {});
      await callApi(admin, 'DELETE', `/tickets/${result.ticket._id}`);
      // The next import does not compete with the values and rows of this one.
      await withDatabase(databaseUrl, async (client) => {
        await client.query('TRUNCATE imported_fields, device_fields, device_field_changes');
        const isDeleted = async () => (await client.query('SELECT FROM row_deletions')).rowCount === 0;
        await waitFor('the rows of the deleted ticket', isDeleted, 600_000);
      });
    }
  }
}

const insertFields = `INSERT INTO company_fields (company_code, key, name, place)
  SELECT company_code, 'f' || n, 'Field ' || n, n FROM clients CROSS JOIN generate_series(1, 10) AS n`;

/** Stores ten own columns of every company, and their values of every device: a name, ten sites, some empty ones. */
async function storeFields(databaseUrl: string): Promise<void> {
  await withDatabase(databaseUrl, async (client) => {
    await client.query(insertFields);
    await client.query(
      `INSERT INTO device_fields (company_code, serial, fields)
       SELECT company_code, serial, jsonb_strip_nulls(jsonb_build_object('f1', 'Employee ' || id, 'f2', 'Site ' || id % 10,
         'f3', CASE WHEN id % 3 > 0 THEN 'Department ' || id % 40 END, 'f4', 'Asset ' || id, 'f5', 'Floor ' || id % 7,
         'f6', 'Cost centre ' || id % 200, 'f7', 'Purchase ' || id / 100, 'f8', 'Manager ' || id % 500,
         'f9', 'Phone +62 ' || id * 37, 'f10', 'Note ' || id % 1000)) FROM devices`,
    );
    await client.query('VACUUM (ANALYZE)');
  });
}

async function withDatabase(
  connectionString: string,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
