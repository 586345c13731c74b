import { readSync } from 'node:fs';
import { SheetError } from '../sheet-error.ts';

/** Bytes that are read on demand: a whole file in memory would count twice or more. */
export type ByteSource = {
  readonly length: number;
  /** @throws SheetError when there are fewer bytes at that offset */
  read(start: number, length: number): Buffer;
};

/** Reads from an open file. */
export function fileBytes(fd: number, size: number): ByteSource {
  return {
    length: size,
    read(start, length) {
      if (start + length > size) throw cutOff();
      const bytes = Buffer.allocUnsafe(length);
      for (let done = 0; done < length; ) {
        const count = readSync(fd, bytes, done, length - done, start + done);
        if (count === 0) throw cutOff();
        done += count;
      }
      return bytes;
    },
  };
}

/** The error for a file that ends too early. */
export function cutOff(): SheetError {
  return new SheetError('corrupt', 'a truncated compound file');
}
