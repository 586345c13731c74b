import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { serverVariable, startTestServer } from '#tests/support/test-server.ts';
import { type Outcome, root, type Step, type StepContext } from './step.ts';

/** Far more than any test file needs, so that one that hangs is told and does not hold up the rest. */
const longestFile = 300_000;

/** Unit and API tests on the embedded default. */
export const nodeTests: Step = {
  title: 'Unit and API tests on the embedded database',
  run: (context) => runFiles(listTests(), context),
};

/** The API's tests once more on a second server, which the product is only told of by its URL. */
export const servedTests: Step = {
  title: 'API tests on a served PostgreSQL',
  run: async (context) => runFiles(await listApiTests(), context),
};

/** The tests run on a server of this run's own, which ends with it. */
async function runFiles(files: string[], { signal }: StepContext): Promise<Outcome> {
  const server = await startTestServer();
  try {
    const stream = run({
      files,
      signal,
      concurrency: Math.max(2, availableParallelism()),
      timeout: longestFile,
      cwd: root,
      env: { ...process.env, [serverVariable]: server.url },
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

function listTests(): string[] {
  return globSync(['src/**/*.test.ts', 'tests/**/*.test.ts'], { cwd: root })
    .sort()
    .map((file) => join(root, file));
}

/**
 * Those that talk to the API as a client does, by the support they are built on, where a second server can make a
 * difference: what holds for every call, and the threads that open connections of their own.
 */
async function listApiTests(): Promise<string[]> {
  const files = globSync('src/{app,features/imports,features/results}/**/*.test.ts', { cwd: root })
    .sort()
    .map((file) => join(root, file));
  const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return files.filter((_, index) => sources[index]?.includes('support/api.ts'));
}
