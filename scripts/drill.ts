// Injects faults into a running product and checks its promises: npm run drill [-- WORD...] [--write]
// WORD: only drills whose name has one of them. --write updates their results in docs/reliability.md.
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { drills as clientDrills } from './drill/clients.ts';
import { drills as clockDrills } from './drill/clock.ts';
import { drills as databaseDrills } from './drill/database.ts';
import { drills as diskDrills } from './drill/disk.ts';
import { CannotDrill, type Drill } from './drill/drill.ts';
import { drills as failoverDrills } from './drill/failover.ts';
import { drills as invoiceDrills } from './drill/invoices.ts';
import { drills as productDrills } from './drill/product.ts';
import { drills as recheckDrills } from './drill/rechecks.ts';
import { drills as restartDrills } from './drill/restarts.ts';
import { drills as processDrills } from './drill/two-processes.ts';
import { drills as workerDrills } from './drill/workers.ts';

const page = new URL('../docs/reliability.md', import.meta.url);
const marks = { from: '<!-- drills -->', to: '<!-- /drills -->' };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
});
const all: [name: string, drill: Drill][] = Object.entries({
  ...diskDrills,
  ...databaseDrills,
  ...failoverDrills,
  ...workerDrills,
  ...clientDrills,
  ...clockDrills,
  ...productDrills,
  ...recheckDrills,
  ...processDrills,
  ...restartDrills,
  ...invoiceDrills,
});
const words = positionals.map((word) => word.toLowerCase());
const drills = all.filter(
  ([name]) => words.length === 0 || words.some((word) => name.toLowerCase().includes(word)),
);
const seenNow = new Map<string, string>();
let failed = 0;
for (const [name, drill] of drills) {
  const seen = await tryDrill(drill);
  console.log(`${name}: ${seen}`);
  seenNow.set(drill.title, seen);
}
if (values.write) await keep();
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

/** Rewrites the list between the marks. A drill that was not run now keeps its earlier result. */
async function keep(): Promise<void> {
  const text = await readFile(page, 'utf8');
  const [before = '', rest = ''] = text.split(marks.from);
  const [list = '', after = ''] = rest.split(marks.to);
  const entries = list.matchAll(/^- \*\*(.+)\*\*\n {2}(.+)$/gm);
  const seenBefore = new Map(Array.from(entries, ([, title = '', seen = '']) => [title, seen]));
  const items = all.flatMap(([, { title }]) => {
    const seen = seenNow.get(title) ?? seenBefore.get(title);
    return seen === undefined ? [] : [`- **${title}**\n  ${seen}`];
  });
  await writeFile(page, `${before}${marks.from}\n\n${items.join('\n')}\n\n${marks.to}${after}`);
}
