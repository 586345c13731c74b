// Looks for calls and files that break the product; the same seed gives the same ones.
// npm run fuzz -- api [--calls 20000] [--tickets 200] [--seed 1]
// npm run fuzz -- workbooks [folder] [--mutants 20000] [--uploads 400] [--seed 1]
// Ends with 1 when anything was found.
import { parseArgs } from 'node:util';
import { root } from './check/step.ts';
import { fuzzCalls } from './fuzz/api-calls.ts';
import { fuzzTickets } from './fuzz/ticket-sequences.ts';
import { fuzzUploads } from './fuzz/uploads.ts';
import { fuzzWorkbooks } from './fuzz/workbooks.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    calls: { type: 'string', default: '20000' },
    tickets: { type: 'string', default: '200' },
    mutants: { type: 'string', default: '20000' },
    uploads: { type: 'string', default: '400' },
    seed: { type: 'string', default: '1' },
  },
});
const seed = Number(values.seed);

/** @returns what was found */
async function fuzzApi(): Promise<string[]> {
  const { calls, found } = await fuzzCalls(Number(values.calls), seed);
  console.log(`${calls} calls with seed ${seed}: ${found.length} faults`);
  const miscounted = await fuzzTickets(Number(values.tickets), seed);
  console.log(`${values.tickets} tickets with seed ${seed}: ${miscounted.length} faults`);
  return [...found, ...miscounted];
}

async function fuzzSheets(folder = `${root}tests/cases/sheets`): Promise<string[]> {
  const mutants = Number(values.mutants);
  const run = await fuzzWorkbooks({ folder, mutants, seed, keep: `${root}tests/cases/found` });
  for (const [end, times] of [...run.ends].sort()) console.log(`${times} × ${end}`);
  console.log(`${mutants} mutants with seed ${seed}: ${run.found.length} faults`);
  console.log(`at most ${Math.round(run.mostCpuMs)} ms of work, ${Math.round(run.megabytes)} MB`);
  const left = await fuzzUploads(folder, Number(values.uploads), seed);
  console.log(`${values.uploads} uploads with seed ${seed}: ${left.length} faults`);
  return [...run.found, ...left];
}

const [what, folder] = positionals;
const found = what === 'api' ? await fuzzApi() : what === 'workbooks' ? await fuzzSheets(folder) : undefined;
if (!found) {
  console.error('usage: npm run fuzz -- api | workbooks [folder] [--seed N]; see scripts/fuzz.ts');
  process.exit(2);
}
for (const fault of found) console.log(`- ${fault}`);
process.exitCode = found.length > 0 ? 1 : 0;
