// Measures the product beside a peer on the same machine at the same time. Only the ratios can be compared
// between machines. `npm run bench -- reads` runs the measurements whose file names contain "reads".
import { readdirSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { installPackages } from '../scripts/run/install.mjs';
import { type Bench, printRows } from './support/bench.ts';

const wanted = process.argv[2] ?? '';
const folder = new URL('.', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.bench.ts') && name.includes(wanted));
if (files.length === 0) {
  console.error(`No measurement in bench/ has a name with "${wanted}"`);
  process.exit(1);
}
await installPackages('bench').catch((error: Error) => {
  console.error(
    `${error.message}\nMeasurements that use these packages fail until \`npm ci --prefix bench\` succeeds.`,
  );
});
for (const file of files.sort()) {
  try {
    const { bench } = (await import(new URL(file, folder).href)) as { bench: Bench };
    console.log(`\n${file.replace('.bench.ts', '')}: ${bench.title}`);
    printRows(await bench.run());
  } catch (error) {
    // The other measurements may take hours, so they go on.
    console.error(`${file} failed:`, error);
    process.exitCode = 1;
  }
}
const load = loadavg().map((value) => value.toFixed(1));
console.log(`${cpus().length} x ${cpus()[0]?.model}, load ${load.join(' ')}, Node ${process.version}`);
