import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { after, before, describe, mock } from 'node:test';

const require = createRequire(import.meta.url);

/**
 * Runs test files one after the other in this process, each as a suite of its own: its hooks apply to its tests alone.
 * Mocks and changes of the environment end with the file. A file with a top-level await cannot run so.
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
