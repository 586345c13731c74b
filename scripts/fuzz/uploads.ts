import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser } from '#tests/support/api/factories.ts';
import type { Runs } from './runs.ts';
import { type Mutant, mutants } from './workbooks/mutants.ts';

/** The answers that refuse a file. */
const refusals = [413, 415, 422];

/** Uploads mutants of workbooks: each must leave a ticket with all its rows, or nothing at all. */
export async function fuzzUploads(runs: Runs): Promise<fc.RunDetails<[Mutant]>> {
  const api = await createTestApi();
  try {
    const { token } = await createUser(api);
    const property = fc.asyncProperty(mutants, async ({ source, bytes }) => {
      const before = await countLeft(api);
      const file = { field: 'excel', name: source, content: bytes };
      const answer = await api.send('POST /api/data/upload', { token, file });
      const taken = answer.statusCode === 201;
      assert.ok(taken || refusals.includes(answer.statusCode), `${answer.statusCode}: ${answer.body}`);
      const rows = taken ? answer.json<{ imported_count: number }>().imported_count : 0;
      const expected = { tickets: before.tickets + Number(taken), rows: before.rows + rows, files: 0 };
      assert.deepEqual(await countLeft(api), expected);
    });
    return await fc.check(property, runs);
  } finally {
    await api.close();
  }
}

async function countLeft({ context }: TestApi): Promise<{ tickets: number; rows: number; files: number }> {
  const { rows } = await context.db.query<{ tickets: number; rows: number }>(
    'SELECT (SELECT count(*) FROM tickets)::integer AS tickets, (SELECT count(*) FROM serials)::integer AS rows',
  );
  const [counted = { tickets: 0, rows: 0 }] = rows;
  const files = await readdir(join(context.config.DATA_DIR, 'uploads')).catch(() => []);
  return { ...counted, files: files.length };
}
