// Injects faults into a running product and checks its promises: npm run drill [-- WORD...] [--write]
// WORD: only drills whose name has one of them. --write updates their results in docs/reliability.md.
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { CannotDrill, type Drill } from './drill/drill.ts';

const page = new URL('../docs/reliability.md', import.meta.url);
const marks = { from: '<!-- drills -->', to: '<!-- /drills -->' };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
});
const folder = new URL('drill/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.drill.ts'));
const all: [name: string, drill: Drill][] = [];
for (const file of files.sort()) {
  const { drills } = (await import(new URL(file, folder).href)) as { drills: Record<string, Drill> };
  all.push(...Object.entries(drills));
}
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
  const entries = list.matchAll(/^- (.+?): (.+)$/gm);
  const seenBefore = new Map(Array.from(entries, ([, title = '', seen = '']) => [title, seen]));
  const items = all.flatMap(([, { title }]) => {
    const seen = seenNow.get(title) ?? seenBefore.get(title);
    return seen === undefined ? [] : [`- ${title}: ${seen}`];
  });
  await writeFile(page, `${before}${marks.from}\n\n${items.join('\n')}\n\n${marks.to}${after}`);
}
