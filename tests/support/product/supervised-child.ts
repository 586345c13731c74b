// A child process for the supervisor's tests. The variable BEHAVIOUR chooses its behaviour.
import { appendFileSync, existsSync } from 'node:fs';
import { pino } from 'pino';
import { receiveEnvironment, runChild } from '#app/server/processes/child.ts';
import { MigrationError } from '#server/db/migrations/migrate.ts';

await receiveEnvironment();
const { NOTES = '', BEHAVIOUR } = process.env;
const log = pino(pino.destination({ dest: `${NOTES}.log`, sync: true }));
await runChild(log, async () => {
  if (BEHAVIOUR === 'broken') throw new Error('PORT 1 is in use');
  if (BEHAVIOUR === 'outdated' && existsSync(NOTES)) throw new MigrationError('a newer database');
  if (BEHAVIOUR === 'exits') process.exit(3);
  if (BEHAVIOUR === 'killed') process.kill(process.pid, 'SIGKILL');
  if (BEHAVIOUR === 'crashes') {
    void Promise.reject(new Error('nobody awaits this'));
    await new Promise(() => undefined);
  }
  appendFileSync(NOTES, `started ${process.pid}\n`);
  setInterval(() => undefined, 60_000);
  return {
    async drain() {
      if (BEHAVIOUR === 'stuck') await new Promise(() => undefined);
      appendFileSync(NOTES, `drained ${process.pid}\n`);
    },
  };
});
