import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createCompany } from '#tests/support/api/factories.ts';
import { waitFor } from '#tests/support/wait.ts';
import { countDevices, listDevicePage, type ScopedDeviceQuery } from './devices.queries.ts';

let api: TestApi;
before(async () => {
  api = await createTestApi();
});
after(() => api.close());

test('pages and counts that filter and sort by indexed columns read no other devices from the table', async () => {
  const { db } = api.context;
  const companyCode = await createCompany(api);
  const count = 3000;
  await db.query(
    `INSERT INTO devices (company_code, serial, activation_status, coverage_end_date, first_seen, last_checked, tickets)
     SELECT CASE WHEN n % 10 = 0 THEN $1 ELSE 'OTHER' END, 'SERIAL' || n, 'activated', '2026-01-01'::date + n, now(),
       now() + make_interval(secs => n), '{1}'
     FROM generate_series(1, $2::integer) n`,
    [companyCode, 10 * count],
  );
  const client = await db.connect();
  try {
    // An index alone answers for pages that are visible to everybody.
    await waitFor('all pages to be visible', async () => {
      await client.query('VACUUM (ANALYZE) devices');
      const { rows } = await client.query(
        `SELECT relallvisible = relpages AS all FROM pg_class WHERE relname = 'devices'`,
      );
      return rows[0].all;
    });
    const readRows = async () => {
      // The statistics of this session are pending until they are written.
      await client.query('SELECT pg_stat_force_next_flush()');
      const { rows } = await client.query<{ read: number }>(
        `SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) AS read FROM pg_stat_user_tables WHERE relname = 'devices'`,
      );
      return Number(rows[0]?.read);
    };
    const order = { order: 'asc' } as const;
    const scopedQuery: ScopedDeviceQuery = { scope: companyCode, today: '2026-11-25', timeZone: 'UTC' };
    const cases: [what: string, read: () => Promise<unknown>][] = [
      [
        'a search without matches',
        () =>
          listDevicePage(
            client,
            { ...scopedQuery, q: 'NOTHING' },
            { ...order, sort: 'serial_number' },
            10,
            0,
          ),
      ],
      [
        'by the end',
        () => listDevicePage(client, scopedQuery, { ...order, sort: 'coverage_end_date' }, 10, 0),
      ],
      [
        'by the check',
        () =>
          listDevicePage(
            client,
            { ...scopedQuery, activation: 'activated' },
            { ...order, sort: 'last_checked' },
            10,
            0,
          ),
      ],
      [
        'a far page',
        () => listDevicePage(client, scopedQuery, { ...order, sort: 'serial_number' }, 10, 2000),
      ],
      ['a count', () => countDevices(client, { ...scopedQuery, expired: 'true' })],
    ];
    for (const [what, read] of cases) {
      const before = await readRows();
      await read();
      const fetched = (await readRows()) - before;
      assert.ok(fetched <= 50, `${what}: ${fetched} devices were read`);
    }
  } finally {
    client.release();
  }
});
