import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Runs } from './runs.ts';
import { type Mutant, mutants } from './workbooks/mutants.ts';
import type { Reading } from './workbooks/read-process.ts';
import { Reader } from './workbooks/reader.ts';

/** For mutants of at most 3 MB. A sheet of a million rows takes a few times as long. */
const usualLimits = { cpuMs: 2_000, megabytes: 300 };

/** The result of a run: how often mutants of each structure ended in each way, and the failure if there was one. */
export type FuzzedWorkbooks = { ends: Map<string, number>; details: fc.RunDetails<[Mutant]> };

/**
 * Reads mutants of workbooks in a process, until one does harm: it takes too much time or memory, gives impossible rows,
 * ends the process, or causes an uncaught error.
 * @param keep the folder for the mutant that does harm, shrunk
 */
export async function fuzzWorkbooks(
  runs: Runs,
  keep: string,
  limits = usualLimits,
): Promise<FuzzedWorkbooks> {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-fuzz-'));
  const path = join(folder, 'mutant');
  const reader = new Reader();
  const ends = new Map<string, number>();
  const property = fc.asyncProperty(mutants, async ({ level, bytes }) => {
    await writeFile(path, bytes);
    const { faults, end } = await examine(reader, path, 5, limits);
    ends.set(`${level}: ${end}`, (ends.get(`${level}: ${end}`) ?? 0) + 1);
    assert.deepEqual(faults, []);
  });
  try {
    const details = await fc.check(property, runs);
    const [found] = details.counterexample ?? [];
    if (found) await writeFile(join(keep, `${found.level}-${details.seed}-${found.source}`), found.bytes);
    return { ends, details };
  } finally {
    await reader.close();
    await rm(folder, { recursive: true });
  }
}

/**
 * Reads a file and adds to its faults where it exceeded the limits. If the process, which has read others before, grew
 * too large, a new process reads the file again.
 */
export async function examine(
  reader: Reader,
  path: string,
  columns: number,
  limits = usualLimits,
): Promise<Reading> {
  let reading = await reader.read(path, columns);
  if (reading.megabytes > limits.megabytes) {
    await reader.close();
    reading = await reader.read(path, columns);
  }
  const { faults, megabytes, cpuMs } = reading;
  if (megabytes > limits.megabytes) faults.push(`${Math.round(megabytes)} MB`);
  if (cpuMs > limits.cpuMs) faults.push(`${Math.round(cpuMs)} ms of work`);
  return reading;
}
