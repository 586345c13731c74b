import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { Failure } from './failures.mjs';

/** Reads a file; `-` is standard input. @throws Failure */
export function readInput(file) {
  return (file === '-' ? buffer(process.stdin) : readFile(file)).catch((error) => {
    throw new Failure(`${file} cannot be read: ${error.message}`);
  });
}
