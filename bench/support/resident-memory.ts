import { readFile } from 'node:fs/promises';

/** The memory, in MB, of all processes below one whose command line has a word; Linux alone tells. */
export async function readResidentMb(pid: number, word: string): Promise<number> {
  const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
  const [command, status, children] = await Promise.all([
    read('cmdline'),
    read('status'),
    read(`task/${pid}/children`),
  ]);
  const own = command.includes(word) ? Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024 : 0;
  const below = children.trim().split(' ').filter(Boolean).map(Number);
  const all = await Promise.all(below.map((child) => readResidentMb(child, word)));
  return all.reduce((sum, megabytes) => sum + megabytes, own);
}
