import { test } from 'node:test';

/**
 * A test of the built product that makes it load one thing on demand, or start one process or thread.
 * `tests/product/built/every-load.test.ts` compares these tests with all such places of the sources.
 * @param loads the file that names the thing, and the thing, such as `mail.ts nodemailer`; several where one act needs
 *   several
 */
export function smokeTest(loads: string | string[], title: string, run: () => Promise<void>): void {
  test(`${title} (${[loads].flat().join(', ')})`, run);
}
