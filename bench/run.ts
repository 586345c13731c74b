// Measures the product beside a peer on the same machine at the same time. Only the ratios can be compared
// between machines. `npm run bench -- import` runs the measurements whose file names contain "import".
import { readdirSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { installPackages } from '../scripts/run/install.mjs';
import { type Bench, formatTable, type Measured } from './support/bench.ts';
import { watchTree } from './support/tree-usage.ts';

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
const measured: Measured[] = [];
for (const file of files.sort()) {
  const name = file.replace('.bench.ts', '');
  try {
    const { bench } = (await import(new URL(file, folder).href)) as { bench: Bench };
    console.error(bench.title);
    const endWatch = watchTree();
    const rows = await bench.run().finally(endWatch);
    measured.push({ name, rows, usage: await endWatch() });
  } catch (error) {
    // Still report the other measurements, which may have taken hours.
    console.error(`${name} failed:`, error);
    process.exitCode = 1;
  }
}
const processors = cpus();
const load = loadavg().map((value) => value.toFixed(1));
console.log(
  `\n${processors.length} x ${processors[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, load ${load.join(' ')}, Node ${process.version}\n`,
);
console.log(formatTable(measured));
