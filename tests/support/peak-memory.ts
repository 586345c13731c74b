import { existsSync, readFileSync } from 'node:fs';

const status = '/proc/self/status';

/**
 * Returns the peak memory of this process in MB. Read from /proc if possible, because on Linux `maxRSS` of getrusage
 * starts with the memory of the parent process.
 */
export function peakMegabytes(): number {
  const own = existsSync(status) ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1] : undefined;
  return Number(own ?? process.resourceUsage().maxRSS) / 1024;
}
