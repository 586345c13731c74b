// Searches for calls and files that break the product. Shrinks the first one that does, and then exits with 1.
// npm run fuzz -- calls | tickets | workbooks | uploads [--runs N] [--seed N]
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { fuzzCalls } from './fuzz/api-calls.ts';
import { fuzzTickets } from './fuzz/ticket-sequences.ts';
import { fuzzUploads } from './fuzz/uploads.ts';
import { fuzzWorkbooks } from './fuzz/workbooks.ts';
import { inRoot } from './run/paths.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '1000' }, seed: { type: 'string' } },
});
const runs = { numRuns: Number(values.runs), ...(values.seed && { seed: Number(values.seed) }) };

const searches: Record<string, () => Promise<void>> = {
  calls: async () => report(await fuzzCalls(runs)),
  tickets: async () => report(await fuzzTickets(runs)),
  uploads: async () => report(await fuzzUploads(runs)),
  async workbooks() {
    const { ends, details } = await fuzzWorkbooks(runs, inRoot('tests', 'cases', 'found'));
    for (const [end, times] of [...ends].sort()) console.log(`${end}: ${times} mutants`);
    report(details);
  },
};
const search = searches[positionals[0] ?? ''];
if (!search) {
  console.error(`usage: npm run fuzz -- ${Object.keys(searches).join(' | ')} [--runs N] [--seed N]`);
  process.exit(1);
}
await search();

function report<T>(details: fc.RunDetails<T>): void {
  console.log(fc.defaultReportMessage(details) ?? `no fault in ${runs.numRuns} runs, seed ${details.seed}`);
  if (!details.failed) return;
  console.log(details.errorInstance);
  process.exitCode = 1;
}
