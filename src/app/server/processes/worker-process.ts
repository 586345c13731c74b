// The child process that looks up serials. The supervisor has prepared the database.
import { startRegistration } from '#features/devices/server/devices.service.ts';
import { startLookups } from '#features/lookups/server/worker.service.ts';
import { deadlines } from '#server/db/connection/open-db.ts';
import { openPool } from '#server/db/connection/open-pool.ts';
import { databaseAddresses, parseConfig } from '#server/runtime/config.ts';
import { createLog } from '#server/runtime/log.ts';
import { receiveEnvironment, runChild } from './child.ts';
import { freeMemoryAfterWork } from './free-memory.ts';

await receiveEnvironment();
const config = parseConfig(process.env);
const { databaseUrl, poolerUrl } = databaseAddresses(config);
const log = createLog('worker', config.LOG_LEVEL);

await runChild(log, async (abort) => {
  if (!databaseUrl) throw new Error('the supervisor must set DATABASE_URL');
  const db = openPool({ databaseUrl, poolerUrl, log }, 8, deadlines.lookups);
  const engine = await startLookups({ config, db, log, databaseUrl }, process.env, abort);
  const isBusy = () => engine.describeWork().inFlight > 0;
  const registration = startRegistration(db, log, isBusy);
  freeMemoryAfterWork(isBusy);
  return {
    async drain() {
      await engine.drain();
      await registration.stop();
      await db.end();
    },
  };
});
