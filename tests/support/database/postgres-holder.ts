// A process that runs an embedded server in the folder of its argument until it is killed.

import { startEmbeddedPostgres } from '#server/postgres/launcher.ts';
import { createLog } from '#server/runtime/log.ts';

const dataDir = process.argv[2];
if (!dataDir) throw new Error('usage: postgres-holder.ts FOLDER');
const server = await startEmbeddedPostgres({ dataDir, log: createLog('holder', 'silent') });
process.send?.(server.url);
setInterval(() => undefined, 60_000);
