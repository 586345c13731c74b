import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Mutant, makeMutant, readSources } from './workbooks/mutants.ts';
import type { Reading } from './workbooks/read-process.ts';
import { Reader } from './workbooks/reader.ts';

/** Mutants have 3 MB at most; a sheet of a million rows takes a few times as long. */
const limits = { cpuMs: 2_000, megabytes: 300 };

export type WorkbookFuzz = {
  /** Where the workbooks are that mutants are made of. */
  folder: string;
  mutants: number;
  seed: number;
  /** Where mutants are kept that show a fault. */
  keep: string;
};

/** What a run came to. */
export type FuzzedWorkbooks = {
  ends: Map<string, number>;
  mostCpuMs: number;
  megabytes: number;
  found: string[];
};

/**
 * Reads mutants of workbooks one by one in a process of their own, with the heap of an import's thread, and watches
 * its time, its memory, its end, and what nobody catches.
 */
export async function fuzzWorkbooks({ folder, mutants, seed, keep }: WorkbookFuzz): Promise<FuzzedWorkbooks> {
  const sources = readSources(folder);
  const workshop = await mkdtemp(join(tmpdir(), 'coverdesk-fuzz-'));
  const reader = new Reader();
  const result: FuzzedWorkbooks = { ends: new Map(), mostCpuMs: 0, megabytes: 0, found: [] };
  try {
    for (let number = 0; number < mutants; number++) {
      const mutant = makeMutant(sources, seed, number);
      const path = join(workshop, 'mutant');
      await writeFile(path, mutant.bytes);
      const { faults, ...reading } = await examine(reader, path, number % 2 === 0 ? 1 : 5);
      const end = `${mutant.level}: ${reading.end}`;
      result.ends.set(end, (result.ends.get(end) ?? 0) + 1);
      result.mostCpuMs = Math.max(result.mostCpuMs, reading.cpuMs);
      result.megabytes = Math.max(result.megabytes, reading.megabytes);
      if (faults.length === 0) continue;
      await writeFile(join(keep, nameOf(mutant, seed, number)), mutant.bytes);
      result.found.push(`${nameOf(mutant, seed, number)}: ${faults.join('; ')}`);
    }
  } finally {
    await reader.close();
    await rm(workshop, { recursive: true });
  }
  return result;
}

/**
 * Reads a file and adds to its faults what it took beyond the limits. Where the process, which has read others before,
 * grew too large, it is read alone again.
 */
export async function examine(
  reader: Reader,
  path: string,
  columns: number,
  most: typeof limits = limits,
): Promise<Reading> {
  let reading = await reader.read(path, columns);
  if (reading.megabytes > most.megabytes) {
    await reader.close();
    reading = await reader.read(path, columns);
  }
  const { faults, megabytes, cpuMs } = reading;
  if (megabytes > most.megabytes) faults.push(`${Math.round(megabytes)} MB`);
  if (cpuMs > most.cpuMs) faults.push(`${Math.round(cpuMs)} ms of work`);
  return reading;
}

function nameOf({ level, source }: Mutant, seed: number, number: number): string {
  return `${level}-${seed}-${number}-${source}`;
}
