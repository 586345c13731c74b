import { isAbsolute, relative } from 'node:path';
import { root } from '../run/paths.mjs';

const shown = 10;

/** Collects how long test files take, and tells the slowest. */
export class SlowestFiles {
  readonly #seconds = new Map<string, number>();

  /** Adds time to a file. @param file its path, absolute or from the root */
  add(file: string, ms: number): void {
    const path = isAbsolute(file) ? relative(root, file) : file;
    this.#seconds.set(path, (this.#seconds.get(path) ?? 0) + ms / 1000);
  }

  /** Returns a line for each of the slowest files, the slowest first. */
  list(): string[] {
    return [...this.#seconds]
      .sort(([, one], [, other]) => other - one)
      .slice(0, shown)
      .map(([file, seconds]) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
  }
}
