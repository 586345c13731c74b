import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestApi, type TestApi } from '#tests/support/api.ts';
import { createUser } from '#tests/support/factories.ts';
import { makeMutant, readSources } from './workbooks/mutants.ts';

/** What an upload is refused with for its file's sake. */
const refusals = [413, 415, 422];
/** Numbers far from those of the mutants that are only read. */
const firstNumber = 1_000_000;

/**
 * Uploads mutants of workbooks to the API, and checks what each leaves: a ticket with all its rows, or nothing at all.
 * @returns what should not have been: one line for each
 */
export async function fuzzUploads(folder: string, count: number, seed: number): Promise<string[]> {
  const sources = readSources(folder);
  const api = await createTestApi();
  const found: string[] = [];
  try {
    const { token } = await createUser(api);
    let before = await countLeft(api);
    for (let number = firstNumber; number < firstNumber + count; number++) {
      const { level, source, bytes } = makeMutant(sources, seed, number);
      const file = { field: 'excel', name: source, content: bytes };
      const answer = await api.send('POST /api/data/upload', { token, file });
      const after = await countLeft(api);
      const taken = answer.statusCode === 201;
      const rows = taken ? answer.json<{ imported_count: number }>().imported_count : 0;
      const expected = { tickets: before.tickets + Number(taken), rows: before.rows + rows, files: 0 };
      const report = (fault: string) => found.push(`upload ${number} (${level} of ${source}): ${fault}`);
      if (!taken && !refusals.includes(answer.statusCode))
        report(`answers ${answer.statusCode}: ${answer.body}`);
      if (JSON.stringify(after) !== JSON.stringify(expected))
        report(`leaves ${JSON.stringify(after)} instead of ${JSON.stringify(expected)}`);
      before = after;
    }
  } finally {
    await api.close();
  }
  return found;
}

async function countLeft({ context }: TestApi): Promise<{ tickets: number; rows: number; files: number }> {
  const { rows } = await context.db.query<{ tickets: number; rows: number }>(
    'SELECT (SELECT count(*) FROM tickets)::integer AS tickets, (SELECT count(*) FROM serials)::integer AS rows',
  );
  const [counted = { tickets: 0, rows: 0 }] = rows;
  const files = await readdir(join(context.config.DATA_DIR, 'uploads')).catch(() => []);
  return { ...counted, files: files.length };
}
