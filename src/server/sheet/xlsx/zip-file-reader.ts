import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';

const pieceBytes = 64 * 1024;

/**
 * Reads a zip file for the zip library. Checks offsets first: a zip may declare any offset, and the file system's
 * error would be thrown in a callback where nothing catches it.
 */
export class ZipFileReader extends RandomAccessReader {
  readonly #file: FileHandle;
  readonly #size: number;

  /** @param file remains open when the library closes the reader */
  constructor(file: FileHandle, size: number) {
    super();
    this.#file = file;
    this.#size = size;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    if (!this.#holds(position, position + length)) {
      process.nextTick(callback, beyondEnd());
      return;
    }
    this.#file
      .read(buffer, offset, length, position)
      .then(({ bytesRead }) => callback(null, bytesRead), callback);
  }

  override createReadStream({ start, end }: { start: number; end: number }): Readable {
    return Readable.from(this.#pieces(start, end), { objectMode: false });
  }

  async *#pieces(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end; ) {
      const length = Math.min(pieceBytes, end - at);
      const { buffer, bytesRead } = await this.#file.read(Buffer.allocUnsafe(length), 0, length, at);
      if (bytesRead === 0) throw beyondEnd();
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  #holds(start: number, end: number): boolean {
    return Number.isSafeInteger(start) && start >= 0 && start <= end && end <= this.#size;
  }
}

function beyondEnd(): Error {
  return new Error('a zip that points beyond its end');
}
