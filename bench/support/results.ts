import { readFile, writeFile } from 'node:fs/promises';
import type { Measured } from './bench.ts';

/** One line of one run, kept to be drawn. */
export type Kept = {
  work: string;
  /** Rows of the ticket or sheet. */
  size: number;
  unit: string;
  ours: number;
  peer: number;
  beside: string;
  at: string;
};

/** The results of earlier runs; none where there is no such file yet. */
export async function readResults(file: string | URL): Promise<Kept[]> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Kept[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Adds a run's lines to a file, in place of those of the same work and size. */
export async function keepResults(file: string, measured: Measured[]): Promise<void> {
  const size = Number(process.env.BENCH_ROWS ?? 1_000_000);
  const fresh = measured.flatMap(({ name, rows }) =>
    rows.map(({ what, unit, measured: ours, reference: peer, beside }): Kept => {
      return { work: `${name}: ${what}`, size, unit, ours, peer, beside, at: new Date().toISOString() };
    }),
  );
  const isReplaced = (old: Kept) => fresh.some(({ work }) => work === old.work && old.size === size);
  const kept = [...(await readResults(file)).filter((old) => !isReplaced(old)), ...fresh];
  await writeFile(file, `${JSON.stringify(kept, null, 2)}\n`);
}
