import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { serverVariable, startTestServer } from '#tests/support/test-server.ts';
import { compiled } from '../run/paths.mjs';
import { type Outcome, root, type Step, type StepContext } from './step.ts';

/** Far more than any test file needs, so that one that hangs is told and does not hold up the rest. */
const longestFile = 300_000;

/** Unit and API tests on the embedded default. */
export const nodeTests: Step = {
  title: 'Unit and API tests on the embedded database',
  run: (context) => runFiles(listFiles(['src/**/*.test.ts', 'tests/**/*.test.ts']), context),
};

/**
 * Those that talk to the API as a client does, one of each way to the database: calls in general, lists, the threads
 * that open connections of their own to import and to export. The others ask nothing else of a server.
 */
const servedFiles = [
  'src/app/server/api/api.test.ts',
  'src/features/imports/server/imports.test.ts',
  'src/features/results/server/results.test.ts',
  'src/features/results/server/export/export.test.ts',
];

/** These once more on a second server, which the product is only told of by its URL. */
export const servedTests: Step = {
  title: 'API tests on a served PostgreSQL',
  run: (context) => runFiles(listFiles(servedFiles), context),
};

/** The tests run on a server of this run's own, which ends with it. */
async function runFiles(files: string[], { signal }: StepContext): Promise<Outcome> {
  const server = await startTestServer();
  try {
    const stream = run({
      files,
      signal,
      // Two more than the cores: a test file waits for PostgreSQL much of its time.
      concurrency: Math.max(2, availableParallelism()) + 2,
      timeout: longestFile,
      cwd: root,
      env: { ...process.env, [serverVariable]: server.url, NODE_COMPILE_CACHE: compiled },
    });
    const outcome: Outcome = { passed: 0, failed: 0 };
    stream.on('test:summary', ({ file, counts }) => {
      if (file !== undefined) return;
      outcome.passed = counts.passed;
      outcome.failed = counts.tests - counts.passed - counts.skipped - counts.todo;
    });
    await pipeline(stream, new spec(), process.stdout, { end: false });
    return outcome;
  } finally {
    await server.stop();
  }
}

function listFiles(patterns: string[]): string[] {
  return globSync(patterns, { cwd: root })
    .sort()
    .map((file) => join(root, file));
}
