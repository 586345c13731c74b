// Measures built products from outside, beside peers on the same machine at the same time. Only the ratios can be
// compared between machines. docs/performance.md describes the options.
import { readdirSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join, parse, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { installPackages } from '../scripts/run/install.mjs';
import { goals as tableGoals } from './goals.ts';
import { type Goal, isMissed } from './support/figures.ts';
import { formatTable } from './support/print-table.ts';
import type { Stage } from './support/stage.ts';

type Measurement = { measure: (stage: Stage) => Promise<void>; goals?: Goal[] };

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { beside: { type: 'string' } },
});
const table = Object.keys(tableGoals);
const alone = readdirSync(join(import.meta.dirname, 'alone')).map((file) => parse(file).name);
const [wanted = ''] = positionals;
const isShort = wanted === 'short';
const names = isShort || wanted === 'all' ? table : [...table, ...alone].filter((name) => name === wanted);
if (names.length === 0) {
  console.error(
    `usage: npm run bench -- all | short | ${[...table, ...alone].join(' | ')} [--beside FOLDER]`,
  );
  process.exit(2);
}
await installPackages('bench').catch((error: Error) => console.error(error.message));
// It imports what has just been installed.
const { openStage } = await import('./support/stage.ts');
const rows = Number(process.env.BENCH_ROWS ?? (isShort ? 100_000 : 1_000_000));
const rounds = Number(process.env.BENCH_ROUNDS ?? (isShort ? 2 : 3));
const stage = await openStage({ rows, rounds, isShort }, values.beside && resolve(values.beside));
// Products are process groups of their own, which no Ctrl-C reaches.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void stage.close().finally(() => process.exit(130)));
}
const goals: Goal[] = [];
try {
  for (const name of names) {
    console.error(`${new Date().toLocaleTimeString('en-GB')} ${name}`);
    const folder = table.includes(name) ? 'table' : 'alone';
    const measurement: Measurement = await import(`./${folder}/${name}.ts`);
    goals.push(...(measurement.goals ?? tableGoals[name] ?? []));
    // The other measurements may take hours, so they go on. Figures that are missing count as missed.
    await measurement.measure(stage).catch((error) => {
      console.error(`${name} failed:`, error);
      process.exitCode = 1;
    });
  }
} finally {
  await stage.close();
}
console.log(formatTable(goals, stage.figures, values.beside !== undefined));
if (goals.some((goal) => isMissed(goal, stage.figures))) process.exitCode = 1;
const load = loadavg().map((value) => value.toFixed(1));
console.log(
  `\n${rows} rows, ${rounds} rounds; ${cpus().length} x ${cpus()[0]?.model}, load ${load.join(' ')}, Node ${process.version}`,
);
