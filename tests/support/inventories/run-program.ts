import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { startStandIn } from './stand-in.ts';

const program = fileURLToPath(import.meta.resolve('#app/cli/coverdesk.mjs'));

/** Runs the command line from its source. */
export async function runProgram(folder: string, args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, COVERDESK_TOKEN: 'cvd_secret', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { stdout, stderr, code };
}

/** Starts Coverdesk with devices in its register, all covered to the same day. */
export function startRegister(serials: string[]) {
  const data = serials.map((serial_number) => ({
    serial_number,
    company_code: 'ACM001',
    activation_status: 'activated',
    coverage_start_date: '2025-01-01',
    coverage_end_date: '2027-01-01',
    coverage_expires: '1 year',
    purchase_date: null,
  }));
  return startStandIn(() => ({ body: { data, pagination: { hasNextPage: false } } }));
}
