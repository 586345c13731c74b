import { spawn } from 'node:child_process';
import { root } from '../run/paths.mjs';

/** How many checks of a step passed and failed. */
export type Outcome = { passed: number; failed: number };

/** What every step is given: `signal` aborts when somebody stops the whole check. */
export type StepContext = { signal: AbortSignal };

export type Step = { title: string; run(context: StepContext): Promise<Outcome> };

/** Runs one of the project's programs; its output goes to the terminal. @returns whether it ended well */
export function runProgram(
  program: string,
  args: string[],
  { signal }: StepContext,
  env: NodeJS.ProcessEnv = process.env,
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'], signal });
    child.on('error', (error) => {
      if (!signal.aborted) console.error(`${program}: ${error.message}`);
      resolve(false);
    });
    child.on('close', (code) => resolve(code === 0));
  });
}

/** A step that one program decides: it counts as one check. */
export function programStep(title: string, program: string, ...args: string[]): Step {
  return { title, run: async (context) => countOne(await runProgram(program, args, context)) };
}

export function countOne(passed: boolean): Outcome {
  return passed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}
