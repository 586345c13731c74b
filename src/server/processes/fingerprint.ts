import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, string, number, { cost: number }, Buffer>(scrypt);
/** About 10 ms of work: nothing at a start, and much for somebody who tries values against a copy of the database. */
const cost = 4096;
const bytes = 16;

/** Returns a hash that tells whether two processes have the same value of a variable, without telling the value. */
export async function fingerprintOf(variable: string, value: string): Promise<string> {
  return (await derive(value, `coverdesk ${variable}`, bytes, { cost })).toString('hex');
}
