// Measures the product beside something of the same kind, on this machine, now: only the ratios can be compared
// with those of another machine. `npm run bench -- import` runs the measurements whose file names contain "import".
import { readdirSync } from 'node:fs';
import { type Bench, formatRows } from './support/bench.ts';

const wanted = process.argv[2] ?? '';
const folder = new URL('.', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.bench.ts') && name.includes(wanted));
if (files.length === 0) {
  console.error(`No measurement in bench/ has a name with "${wanted}"`);
  process.exit(1);
}
for (const file of files.sort()) {
  const { bench } = (await import(new URL(file, folder).href)) as { bench: Bench };
  console.log(`\n${bench.title}\n`);
  console.log(formatRows(await bench.run()));
}
