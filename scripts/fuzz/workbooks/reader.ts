import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Reading, Told } from './read-process.ts';

/** As much heap as an import's thread has. */
const heapMb = 160;
const longestMs = 60_000;

/** A process that reads files one by one; begun anew whenever it ended. */
export class Reader {
  #child: ChildProcess | undefined;

  /** Reads one file. What the process did instead of answering is a fault of that file. */
  async read(path: string, columns: number): Promise<Reading> {
    const child = this.#start();
    const faults: string[] = [];
    const reading = await new Promise<Reading>((resolve) => {
      const deadline = setTimeout(() => child.kill('SIGKILL'), longestMs);
      const give = (given: Reading) => {
        clearTimeout(deadline);
        resolve(given);
      };
      child.on('message', (told: Told) => {
        if ('reading' in told) return give(told.reading);
        // What was being read may never end now.
        faults.push(`uncaught: ${told.uncaught}`);
        child.kill('SIGKILL');
      });
      child.once('exit', (code, signal) => {
        this.#child = undefined;
        if (faults.length === 0) faults.push(`the process ended by ${signal ?? `code ${code}`}`);
        give({ end: 'exit', rows: 0, cpuMs: 0, megabytes: 0, faults });
      });
      child.send({ path, columns });
    });
    child.removeAllListeners('message').removeAllListeners('exit');
    return reading;
  }

  /** Ends the process. */
  async close(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  #start(): ChildProcess {
    this.#child ??= fork(new URL('./read-process.ts', import.meta.url), {
      execArgv: [`--max-old-space-size=${heapMb}`],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    return this.#child;
  }
}
