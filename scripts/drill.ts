// Injects faults into a running product and checks its promises: npm run drill [-- WORD...]
// WORD: only drills whose name has one of them. Prints the lines of docs/reliability.md.
import { readdirSync } from 'node:fs';
import { CannotDrill, type Drill } from './drill/drill.ts';

const words = process.argv.slice(2).map((word) => word.toLowerCase());
const folder = new URL('drill/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.drill.ts'));
for (const file of files.sort()) {
  const { drills } = (await import(new URL(file, folder).href)) as { drills: Record<string, Drill> };
  for (const [name, drill] of Object.entries(drills)) {
    const isWanted = words.length === 0 || words.some((word) => name.toLowerCase().includes(word));
    if (isWanted) console.log(`- ${drill.title}: ${await tryDrill(drill)}`);
  }
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
