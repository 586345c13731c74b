// Looks for calls and files that break the product: npm run fuzz -- api [--calls 20000] [--tickets 200] [--seed 1]
// The same seed gives the same calls. Ends with 1 when anything was found.
import { parseArgs } from 'node:util';
import { fuzzCalls } from './fuzz/api-calls.ts';
import { fuzzTickets } from './fuzz/ticket-sequences.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    calls: { type: 'string', default: '20000' },
    tickets: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
  },
});
const [what] = positionals;
if (what !== 'api') {
  console.error('usage: npm run fuzz -- api [--calls N] [--tickets N] [--seed N]');
  process.exit(2);
}
const seed = Number(values.seed);
const { calls, found } = await fuzzCalls(Number(values.calls), seed);
console.log(`${calls} calls with seed ${seed}: ${found.length} faults`);
const miscounted = await fuzzTickets(Number(values.tickets), seed);
console.log(`${values.tickets} tickets with seed ${seed}: ${miscounted.length} faults`);
for (const fault of [...found, ...miscounted]) console.log(`- ${fault}`);
process.exitCode = found.length + miscounted.length > 0 ? 1 : 0;
