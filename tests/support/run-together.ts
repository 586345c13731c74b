import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { after, before, describe, mock } from 'node:test';

const require = createRequire(import.meta.url);

/**
 * Runs test files in sequence in this process, each as a separate suite with its own hooks. Mocks and changes of the
 * environment end with the file. Files with a top-level await are not supported.
 */
export function runTogether(files: string[]): void {
  for (const file of files) {
    describe(relative(process.cwd(), file), () => {
      let environment: NodeJS.ProcessEnv;
      before(() => {
        environment = { ...process.env };
      });
      after(() => {
        mock.reset();
        process.env = environment;
      });
      require(file);
    });
  }
}
