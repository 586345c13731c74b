// A process of its own for the supervisor's tests: STEPS in its environment say how it behaves.
import { appendFileSync } from 'node:fs';
import { createLog } from '#server/log.ts';
import { runChild } from '../../src/app/child.ts';

const { NOTES = '', BEHAVIOUR } = process.env;
await runChild(createLog('child', 'silent'), async () => {
  if (BEHAVIOUR === 'broken') throw new Error('PORT 1 is in use');
  if (BEHAVIOUR === 'exits') process.exit(3);
  if (BEHAVIOUR === 'killed') process.kill(process.pid, 'SIGKILL');
  appendFileSync(NOTES, `started ${process.pid}\n`);
  setInterval(() => undefined, 60_000);
  return {
    async drain() {
      if (BEHAVIOUR === 'stuck') await new Promise(() => undefined);
      appendFileSync(NOTES, `drained ${process.pid}\n`);
    },
  };
});
