// Changes the code in small ways, one at a time, and looks whether the tests beside it notice:
// npm run mutate -- src/shared src/features/tickets/server [--sample 150] [--seed 1] [--seconds 600] [--from 1]
// Of a change's tests those nearest to it go first, and none begins once `--seconds` are over.
// A sample that was stopped goes on with `--from`, in a checkout of the commit that it was drawn from.
// Works in a copy of the last commit, so that this checkout stays as it is.
import { execFileSync, spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { serverVariable, startTestServer } from '#tests/support/test-server.ts';
import { root } from './check/step.ts';
import { findMutants, type Mutant } from './mutate/find-mutants.ts';
import { stepsToLoad } from './mutate/steps-to-load.ts';

/** A changed loop may never end. */
const longestRun = 120_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '150' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '600' },
    from: { type: 'string', default: '1' },
  },
});
const files = positionals
  .flatMap((path) => (path.endsWith('.ts') ? [path] : globSync(`${path}/**/*.ts`, { cwd: root })))
  .filter((path) => !/\.(test|d)\.ts$|\/texts\/|\/web\/|\.contract\.ts$/.test(path));
const all = (await Promise.all(files.map((file) => findMutants(file, root)))).flat();
const mutants = sample(all, Number(values.sample), Number(values.seed));
console.log(`${mutants.length} of ${all.length} changes in ${files.length} files`);

const copy = join(await mkdtemp(join(tmpdir(), 'coverdesk-mutate-')), 'checkout');
execFileSync('git', ['worktree', 'add', '--detach', '--quiet', copy], { cwd: root });
const server = await startTestServer();
/** Tests that have passed here, and those that fail whatever is changed, which tell nothing. */
const passed = new Set<string>();
const unusable = new Set<string>();
const survivors: Mutant[] = [];
const triedBefore = Number(values.from) - 1;
try {
  await symlink(`${root}node_modules`, join(copy, 'node_modules'));
  await cp(`${root}src/shared/texts`, join(copy, 'src/shared/texts'), { recursive: true });
  for (const [index, mutant] of mutants.entries()) {
    if (index < triedBefore) continue;
    const noticedBy = await tryMutant(mutant);
    if (!noticedBy) survivors.push(mutant);
    console.log(`${index + 1} ${noticedBy ? `noticed by ${noticedBy}` : 'SURVIVED'}: ${toLine(mutant)}`);
  }
} finally {
  await server.stop();
  execFileSync('git', ['worktree', 'remove', '--force', copy], { cwd: root });
}
const tried = mutants.length - triedBefore;
const noticed = tried - survivors.length;
console.log(`\n${noticed} of ${tried} noticed (${Math.round((noticed / tried) * 100)} %)`);
for (const survivor of survivors) console.log(`survived: ${toLine(survivor)}`);

function toLine({ path, line, before, text }: Mutant): string {
  const short = (part: string) => part.replace(/\s+/g, ' ').trim().slice(0, 60);
  return `${path}:${line} «${short(before)}» → «${short(text)}»`;
}

/** The same choice for the same seed: a shuffle by a small generator (mulberry32). */
function sample(list: Mutant[], size: number, seed: number): Mutant[] {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return list
    .map((mutant) => ({ mutant, order: random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, size)
    .map(({ mutant }) => mutant);
}

/** Runs the tests with one change in place. @returns what noticed it, or null */
async function tryMutant({ path, start, end, text }: Mutant): Promise<string | null> {
  const file = join(copy, path);
  const source = await readFile(file);
  const changed = Buffer.concat([source.subarray(0, start), Buffer.from(text), source.subarray(end)]);
  const until = Date.now() + Number(values.seconds) * 1000;
  const passesUnchanged = async (test: string) => {
    await writeFile(file, source);
    const isUsable = (await findFailure(test)) === null;
    (isUsable ? passed : unusable).add(test);
    if (!isUsable) console.log(`fails without any change: ${test}`);
    return isUsable;
  };
  try {
    for (const test of testsFor(path)) {
      if (unusable.has(test)) continue;
      if (Date.now() > until) return null;
      await writeFile(file, changed);
      const failure = await findFailure(test);
      if (!failure) passed.add(test);
      else if (passed.has(test) || (await passesUnchanged(test))) return `${test} «${failure}»`;
    }
    return null;
  } finally {
    await writeFile(file, source);
  }
}

/** The tests that one would run for a file: of its name, of its folder, then those of its feature that load it. */
function testsFor(path: string): string[] {
  const folder = dirname(path);
  const feature = path.match(/^src\/features\/[^/]+/)?.[0] ?? 'src';
  const name = basename(path).replace(/\..*$/, '');
  const own = globSync([`${folder}/${name}.test.ts`, `${folder}/${name}.*.test.ts`], { cwd: copy });
  const near = globSync(`${folder}/*.test.ts`, { cwd: copy });
  const wide = globSync(`${feature}/**/*.test.ts`, { cwd: copy });
  const steps = stepsToLoad(path, root);
  const nearestFirst = (tests: string[]) =>
    tests.filter((test) => steps.has(test)).sort((a, b) => (steps.get(a) ?? 0) - (steps.get(b) ?? 0));
  return [...new Set([...own, ...nearestFirst([...near, ...wide]), ...nearestFirst(storiesFor(path))])];
}

/** Tests of the whole product that belong to a part of it. */
function storiesFor(path: string): string[] {
  if (path.startsWith('src/features/coverage/')) return globSync('tests/coverage/*.test.ts', { cwd: copy });
  return path.startsWith('src/features/') ? [] : globSync('tests/*.test.ts', { cwd: copy });
}

/** @returns the title of the first test of a file that fails, or null */
function findFailure(test: string): Promise<string | null> {
  return new Promise((resolve) => {
    const options = ['--test', '--test-reporter=tap', '--test-force-exit', test];
    const child = spawn(process.execPath, options, {
      cwd: copy,
      env: { ...process.env, [serverVariable]: server.url },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: longestRun,
    });
    let failed: string | undefined;
    createInterface({ input: child.stdout }).on('line', (line) => {
      failed ??= line.match(/^\s*not ok \d+ - (.*)/)?.[1];
    });
    child.on('close', (code) => resolve(code === 0 ? null : (failed ?? 'did not end in time')));
  });
}
