// Runs every check and prints how many passed.
import { browserTests } from './check/browser-tests.ts';
import { nodeTests } from './check/node-tests.ts';
import { SlowestFiles } from './check/slowest-files.ts';
import { buildStep, programStep, type Step } from './check/step.ts';
import { buildServer, buildWeb, compileTexts } from './run/build.mjs';

/** The checks of the sources, and the builds. None needs another, and most use one core. */
const beside: Step[] = [
  programStep('Types of the server', 'tsc', '-p', 'tsconfig.server.json'),
  buildStep('Web build', buildWeb),
  programStep('Types of the web app', 'tsc', '-p', 'tsconfig.web.json'),
  programStep('Types of the tests of the web app', 'tsc', '-p', 'tsconfig.web-tests.json'),
  programStep('Unused exports', 'knip'),
  programStep('Import boundaries', 'depcruise', 'src', '--config', '.dependency-cruiser.cjs'),
  programStep('Structure page', 'node', 'scripts/structure.ts', '--check'),
  programStep('Lint and format', 'biome', 'check', '.'),
  buildStep('Server build', buildServer),
];

const stopped = new AbortController();
// A Ctrl-C, or the end of the script that started this one, ends the steps that run and leaves out the others.
for (const event of ['SIGINT', 'SIGTERM', 'disconnect', 'message'] as const) {
  process.on(event, () => stopped.abort());
}

const total = { passed: 0, failed: 0 };
const slowest = new SlowestFiles();
await runStep(buildStep('Texts', compileTexts));
await Promise.all([runInTurn(beside), runInTurn(beside)]);
for (const tests of [nodeTests, browserTests]) await runStep(tests);
if (stopped.signal.aborted) {
  console.error('\nStopped.');
  process.exit(130);
}
console.log(`\n── Slowest test files\n${slowest.list().join('\n')}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

async function runStep({ title, run }: Step, print = (text: string) => void process.stdout.write(text)) {
  if (stopped.signal.aborted) return;
  print(`\n── ${title}\n`);
  const { passed, failed } = await run({ signal: stopped.signal, print, slowest });
  print(failed === 0 ? `ok: ${passed} passed\n` : `FAILED: ${passed} passed, ${failed} failed\n`);
  total.passed += passed;
  total.failed += failed;
}

/** Takes steps from the list until it is empty, and prints each with its output once it has ended. */
async function runInTurn(steps: Step[]): Promise<void> {
  for (let step = steps.shift(); step; step = steps.shift()) {
    let output = '';
    await runStep(step, (text) => {
      output += text;
    });
    process.stdout.write(output);
  }
}
