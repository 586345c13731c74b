import { constants, fstatSync, openSync, writeSync } from 'node:fs';

/** How long a line waits for a reader that is behind. After such a wait, lines are lost at once until one can be written. */
const maxWaitMs = 100;

let file: number | undefined;
let isStalled = false;
/** Whether only the beginning of the last line was written. */
let isCut = false;

/**
 * Writes a line synchronously, so that a process that dies loses none. A line that cannot be written is lost, because a
 * full disk or a reader that has stopped must not end or block the process.
 */
export function writeToStandardError(line: string): void {
  file ??= openWithoutBlocking();
  let rest = Buffer.from(isCut ? `\n${line}` : line);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(file, rest));
      isStalled = false;
      isCut = rest.length > 0;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || isStalled) return;
      isStalled = true;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, maxWaitMs);
    }
  }
}

/** Opens a pipe again, because the mode of the given one is shared with other processes. */
function openWithoutBlocking(): number {
  try {
    if (fstatSync(2).isFIFO()) return openSync('/dev/stderr', constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    // The pipe belongs to another account, or has no reader.
  }
  return 2;
}

/** Lets a process outlive lines of `console` and warnings of Node that cannot be written. */
export function outliveOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
