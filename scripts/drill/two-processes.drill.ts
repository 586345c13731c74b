import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { twoProcessesVariable } from '#tests/support/api/two-processes.ts';
import { serverVariable, startTestServer } from '#tests/support/database/test-server.ts';
import { hasNginx } from '#tests/support/product/nginx.ts';
import { compiled, root } from '../run/paths.mjs';
import { CannotDrill, type Drill } from './drill.ts';

/** Files whose tests need their API in the same process (its log, sockets, spans, metrics, schedules), or the database alone. */
const ownApi = [
  'src/app/server/admin/admin-commands.test.ts',
  'src/app/server/api/api.test.ts',
  'src/app/server/api/api-close.test.ts',
  'src/app/server/api/slow-bodies.test.ts',
  'src/app/server/api/spans.test.ts',
  'src/features/accounts/server/passwords/mail-failure.test.ts',
  'src/features/imports/server/import-cancel.test.ts',
  'src/features/imports/server/upload/upload-room.test.ts',
  'src/features/operations/server/monitoring-files.test.ts',
  'src/features/operations/server/operations.test.ts',
  'src/features/results/server/export/large-export.test.ts',
  'src/features/watch/server/watch.test.ts',
  'src/server/backup/backup.test.ts',
  'src/server/http/route.test.ts',
  'src/server/monitoring/health.test.ts',
  'src/server/monitoring/metrics.test.ts',
  'tests/client/client.test.ts',
  'tests/first-release.test.ts',
  'tests/lookups/command-line.test.ts',
  'tests/lookups/program-examples.test.ts',
  'tests/product/etag-after-failover.test.ts',
];

/** Tests in other files that fail behind nginx or with two processes. */
const leftOut = [
  // nginx answers malformed addresses by itself, with its own headers.
  'every response has nosniff, no-referrer and a content security policy',
  'every response below /api forbids caching, including failures and sign-in',
  'every response with a body has a content type, and texts a charset',
  'an unknown token is answered as not valid',
  // nginx hides /metrics.
  'adds up the figures of all workers',
  // They change the key in their own environment.
  'a proxy’s password is sealed in the database and in clear text in the list',
  'a new key seals the secrets anew',
];

const twoProcesses: Drill = {
  title: 'The API tests alternate between two API processes',
  async run() {
    if (!hasNginx()) throw new CannotDrill('nginx is not installed (apt-get install nginx)');
    const files = listFiles();
    const server = await startTestServer();
    try {
      const passed = await runFiles(files, server.url);
      return `${passed} tests of ${files.length} files hold`;
    } finally {
      await server.stop();
    }
  },
};

/** Returns the test files that send requests to an API. */
function listFiles(): string[] {
  return globSync(['src/**/*.test.ts', 'tests/**/*.test.ts'], { cwd: root })
    .filter((file) => /createTestApi\(/.test(readFileSync(join(root, file), 'utf8')))
    .filter((file) => !ownApi.includes(file))
    .sort();
}

/** Runs test files. @returns the number of passed tests. @throws AssertionError if one failed */
async function runFiles(files: string[], server: string): Promise<number> {
  const failed: string[] = [];
  let passed = 0;
  const stream = run({
    files: files.map((file) => join(root, file)),
    cwd: root,
    concurrency: 2,
    timeout: 300_000,
    testSkipPatterns: leftOut,
    env: {
      ...process.env,
      [serverVariable]: server,
      [twoProcessesVariable]: '1',
      NODE_COMPILE_CACHE: compiled,
    },
  });
  stream.on('test:fail', ({ name, file, details }) => {
    failed.push(name);
    console.error(file, name, details.error.cause ?? details.error);
  });
  stream.on('test:summary', ({ file, counts }) => {
    if (file === undefined) passed = counts.passed;
  });
  stream.resume();
  await new Promise((resolve) => stream.once('end', resolve));
  assert.deepEqual(failed, [], `${failed.length} tests fail: ${failed.join(', ')}`);
  return passed;
}

export const drills = { twoProcesses };
