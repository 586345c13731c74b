// Runs every check and prints how many passed.
import { browserTests } from './check/browser-tests.ts';
import { nodeTests } from './check/node-tests.ts';
import { countOne, type Outcome, programStep, type Step } from './check/step.ts';
import { bringUpToDate, buildServer, buildWeb, compileTexts } from './run/build.mjs';

const steps: Step[] = [
  { title: 'Texts', run: () => succeeds(() => bringUpToDate(compileTexts)) },
  programStep('Types of the server', 'tsc', '-p', 'tsconfig.server.json'),
  programStep('Types of the web app', 'tsc', '-p', 'tsconfig.web.json'),
  programStep('Lint and format', 'biome', 'check', '.'),
  programStep('Import boundaries', 'depcruise', 'src', '--config', '.dependency-cruiser.cjs'),
  programStep('Unused exports', 'knip'),
  programStep('Structure page', 'node', 'scripts/structure.ts', '--check'),
  // Before the tests of the whole product, which is made of both.
  { title: 'Server build', run: () => succeeds(() => bringUpToDate(buildServer)) },
  { title: 'Web build', run: () => succeeds(() => bringUpToDate(buildWeb)) },
  nodeTests,
  browserTests,
];

const stopped = new AbortController();
// A Ctrl-C, or the end of the script that started this one, ends the step that runs and leaves out the others.
for (const event of ['SIGINT', 'SIGTERM', 'disconnect', 'message'] as const) {
  process.on(event, () => stopped.abort());
}

const total: Outcome = { passed: 0, failed: 0 };
for (const { title, run } of steps) {
  if (stopped.signal.aborted) break;
  console.log(`\n── ${title}`);
  const { passed, failed } = await run({ signal: stopped.signal });
  console.log(failed === 0 ? `ok: ${passed} passed` : `FAILED: ${passed} passed, ${failed} failed`);
  total.passed += passed;
  total.failed += failed;
}
if (stopped.signal.aborted) {
  console.error('\nStopped.');
  process.exit(130);
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

async function succeeds(work: () => Promise<void>): Promise<Outcome> {
  try {
    await work();
    return countOne(true);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return countOne(false);
  }
}
