import { spawn } from 'node:child_process';
import { bringUpToDate, type compileTexts } from '../run/build.mjs';
import { root } from '../run/paths.mjs';
import type { SlowestFiles } from './slowest-files.ts';

/** How many checks of a step passed and failed. */
export type Outcome = { passed: number; failed: number };

/**
 * The context of a step: `signal` aborts when the whole check is stopped, `print` takes the step's output, `slowest` the
 * durations of test files.
 */
export type StepContext = { signal: AbortSignal; print(text: string): void; slowest: SlowestFiles };

export type Step = { title: string; run(context: StepContext): Promise<Outcome> };

/** Runs one of the project's programs, and prints its output. @returns whether it ended well */
export function runProgram(
  program: string,
  args: string[],
  { signal, print }: StepContext,
  env: NodeJS.ProcessEnv = process.env,
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], signal });
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', print);
    child.on('error', (error) => {
      if (!signal.aborted) print(`${program}: ${error.message}\n`);
      resolve(false);
    });
    child.on('close', (code) => resolve(code === 0));
  });
}

/** A step that one program decides: it counts as one check. */
export function programStep(title: string, program: string, ...args: string[]): Step {
  return { title, run: async (context) => countOne(await runProgram(program, args, context)) };
}

/** A step that builds again a build that is out of date. */
export function buildStep(title: string, thing: typeof compileTexts): Step {
  return {
    title,
    async run({ print }) {
      try {
        await bringUpToDate(thing);
        return countOne(true);
      } catch (error) {
        print(`${(error as Error).message}\n`);
        return countOne(false);
      }
    },
  };
}

function countOne(passed: boolean): Outcome {
  return passed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}
