import { existsSync, readFileSync } from 'node:fs';

const status = '/proc/self/status';

/**
 * The most memory, in MB, that this process ever had. Where /proc tells it, it is read there: on Linux the
 * `maxRSS` of getrusage begins with what the process that started this one had, so that a parent that holds
 * large buffers would be measured for its child.
 */
export function peakMegabytes(): number {
  const own = existsSync(status) ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1] : undefined;
  return Number(own ?? process.resourceUsage().maxRSS) / 1024;
}
