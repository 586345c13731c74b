// Does to the running product what happens to products, and checks that it holds: npm run drill [-- WORD] [--write]
// WORD: only drills whose name has it. --write keeps the table in docs/reliability.md.
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { drills as clientDrills } from './drill/clients.ts';
import { drills as clockDrills } from './drill/clock.ts';
import { drills as databaseDrills } from './drill/database.ts';
import { drills as diskDrills } from './drill/disk.ts';
import { CannotDrill, type Drill } from './drill/drill.ts';
import { drills as productDrills } from './drill/product.ts';
import { drills as workerDrills } from './drill/workers.ts';

const page = new URL('../docs/reliability.md', import.meta.url);
const marks = { from: '<!-- drills -->', to: '<!-- /drills -->' };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
});
const [word = ''] = positionals;
const drills = Object.entries({
  ...diskDrills,
  ...databaseDrills,
  ...workerDrills,
  ...clientDrills,
  ...clockDrills,
  ...productDrills,
}).filter(([name]) => name.toLowerCase().includes(word.toLowerCase()));
const rows: string[][] = [];
let failed = 0;
for (const [name, drill] of drills) {
  const seen = await tryDrill(drill);
  console.log(`${name}: ${seen}`);
  rows.push([drill.title, seen]);
}
if (values.write) await keep(rows);
process.exitCode = failed > 0 ? 1 : 0;

async function tryDrill({ run }: Drill): Promise<string> {
  try {
    return await run();
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof CannotDrill) return `not done: ${message}`;
    failed += 1;
    return `**did not hold**: ${message.split('\n')[0]}`;
  }
}

/** Replaces the table between the marks. */
async function keep(table: string[][]): Promise<void> {
  const text = await readFile(page, 'utf8');
  const [before, rest = ''] = text.split(marks.from);
  const after = rest.split(marks.to)[1] ?? '';
  const lines = [
    '| What happens | What was seen |',
    '| --- | --- |',
    ...table.map((row) => `| ${row.join(' | ')} |`),
  ];
  await writeFile(page, `${before}${marks.from}\n\n${lines.join('\n')}\n\n${marks.to}${after}`);
}
