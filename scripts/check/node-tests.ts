import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { serverVariable, startTestServer } from '#tests/support/database/test-server.ts';
import { compiled, root } from '../run/paths.mjs';
import { maxProcessMs } from './max-process-ms.ts';
import type { Outcome, Step, StepContext } from './step.ts';

/** Files share a process, because loading the API takes most of a second. */
const filesPerProcess = 12;

/** Files that start processes themselves, change how this one loads modules, or mock a timer that a module shares. */
const ownProcess = [
  'tests/**/*.test.ts',
  'src/features/tickets/web/list/ticket-card.test.ts',
  'src/server/egress/deadlines.test.ts',
];

/** Unit and API tests. */
export const nodeTests: Step = {
  title: 'Unit, API and process tests',
  async run(context) {
    const alone = listFiles(ownProcess);
    const others = listFiles(['src/**/*.test.ts']).filter((file) => !alone.includes(file));
    const together = deal(others, Math.ceil(others.length / filesPerProcess));
    const share = Math.ceil(alone.length / together.length);
    // Files with a process of their own often wait for others: mixed in, they leave no core idle.
    const groups = together.flatMap((files, n) => [
      files,
      ...alone.slice(n * share, (n + 1) * share).map((file) => [file]),
    ]);
    return runFiles(groups, context);
  },
};

/** Runs groups of files, each in a process, on a database server that ends with the run. */
async function runFiles(groups: string[][], { signal, slowest }: StepContext): Promise<Outcome> {
  const server = await startTestServer();
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-tests-'));
  try {
    const stream = run({
      files: await Promise.all(groups.map((files, index) => writeEntry(folder, index, files))),
      signal,
      // Four more than the cores: test files often wait for processes, sources and PostgreSQL.
      concurrency: Math.max(2, availableParallelism()) + 4,
      timeout: maxProcessMs,
      execArgv: ['--import', new URL('../../tests/support/end-hung-process.ts', import.meta.url).href],
      cwd: root,
      env: { ...process.env, [serverVariable]: server.url, NODE_COMPILE_CACHE: compiled },
    });
    const outcome: Outcome = { passed: 0, failed: 0 };
    const alone = new Set(groups.filter((files) => files.length === 1).flat());
    for (const event of ['test:pass', 'test:fail'] as const) {
      // Files that share a process are one suite each.
      stream.on(event, ({ nesting, name, details }) => {
        if (nesting === 0 && details.type === 'suite') slowest.add(name, details.duration_ms);
      });
    }
    stream.on('test:summary', ({ file, counts, duration_ms }) => {
      if (file !== undefined) {
        if (alone.has(file)) slowest.add(file, duration_ms);
        return;
      }
      outcome.passed = counts.passed;
      outcome.failed = counts.tests - counts.passed - counts.skipped - counts.todo;
    });
    await pipeline(stream, new spec(), process.stdout, { end: false });
    return outcome;
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

/** Writes the module that a process runs for several files. @returns its path, or that of a single file */
async function writeEntry(folder: string, index: number, files: string[]): Promise<string> {
  const [only = '', ...more] = files;
  if (more.length === 0) return only;
  const entry = join(folder, `files-${index + 1}.mjs`);
  const runTogether = new URL('../../tests/support/run-together.ts', import.meta.url).href;
  const code = `import { runTogether } from '${runTogether}';\nrunTogether(${JSON.stringify(files)});\n`;
  await writeFile(entry, code);
  return entry;
}

/** Deals items out to groups in turn, so that the slow files of one folder are in different groups. */
function deal<T>(items: T[], groups: number): T[][] {
  return Array.from({ length: groups }, (_, group) => items.filter((_, index) => index % groups === group));
}

function listFiles(patterns: string[]): string[] {
  return globSync(patterns, { cwd: root })
    .sort()
    .map((file) => join(root, file));
}
