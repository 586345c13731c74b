import { readFile } from 'node:fs/promises';
import { listTree } from './process-tree.ts';

/** Returns the resident memory in MB of a process and its descendants whose command line has a word. Linux only. */
export async function readResidentMb(pid: number, word: string): Promise<number> {
  const all = await Promise.all((await listTree(pid)).map((each) => readOne(each, word)));
  return all.reduce((sum, megabytes) => sum + megabytes, 0);
}

async function readOne(pid: number, word: string): Promise<number> {
  const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
  const [command, status] = await Promise.all([read('cmdline'), read('status')]);
  return command.includes(word) ? Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024 : 0;
}
