// Injects faults into a running product and checks its promises: npm run drill [-- WORD...]
// WORD: only drills whose name has one of them. Prints the lines of docs/reliability.md.
import { readdirSync } from 'node:fs';
import { CannotDrill, type Drill } from './drill/drill.ts';

const words = process.argv.slice(2).map((word) => word.toLowerCase());
const folder = new URL('drill/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.drill.ts'));
const drills: Record<string, Drill> = {};
for (const file of files.sort()) Object.assign(drills, (await import(new URL(file, folder).href)).drills);
const wanted = Object.entries(drills).filter(
  ([name]) => words.length === 0 || words.some((word) => name.toLowerCase().includes(word)),
);
if (wanted.length === 0) {
  console.error(`No drill has a name with "${words.join('" or "')}": ${Object.keys(drills).join(', ')}`);
  process.exit(1);
}
for (const [, drill] of wanted) {
  console.log(`- ${drill.title}: ${await tryDrill(drill)}`);
}

async function tryDrill({ run }: Drill): Promise<string> {
  try {
    return await run();
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof CannotDrill) return `not done: ${message}`;
    process.exitCode = 1;
    return `**did not hold**: ${message.split('\n')[0]}`;
  }
}
