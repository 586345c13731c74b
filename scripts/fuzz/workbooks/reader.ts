import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Message, Reading } from './read-process.ts';

/** Half the heap of an import's thread: mutants are small. */
const heapMb = 160;
const maxReadMs = 60_000;

/** A process that reads files one by one. It is started again after it has ended. */
export class Reader {
  #child: ChildProcess | undefined;

  /** Reads one file. If the process ends or an error is not caught, that is a fault of the file. */
  async read(path: string, columns: number): Promise<Reading> {
    const child = this.#start();
    const faults: string[] = [];
    const reading = await new Promise<Reading>((resolve) => {
      const deadline = setTimeout(() => child.kill('SIGKILL'), maxReadMs);
      const give = (given: Reading) => {
        clearTimeout(deadline);
        resolve(given);
      };
      child.on('message', (message: Message) => {
        if ('reading' in message) return give(message.reading);
        // The reading may never end after an uncaught error.
        faults.push(`uncaught: ${message.uncaught}`);
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
