import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, string, number, { cost: number }, Buffer>(scrypt);
const cost = 4096; // about 10 ms: little at a start, much for an attacker who guesses values with a copy of the database
const bytes = 16;

/** Returns a hash with which processes compare the value of a variable without revealing it. */
export async function fingerprintOf(variable: string, value: string): Promise<string> {
  return (await derive(value, `coverdesk ${variable}`, bytes, { cost })).toString('hex');
}
