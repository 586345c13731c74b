// The child process that serves the API and the web app. The supervisor has prepared the database.
import { parseConfig } from '#server/runtime/config.ts';
import { createLog } from '#server/runtime/log.ts';
import { receiveEnvironment, runChild } from './child.ts';
import { serveApi } from './serve-api.ts';

await receiveEnvironment();
const config = parseConfig(process.env);
const log = createLog('api', config.LOG_LEVEL);

await runChild(log, (abort) => serveApi(config, log, abort));
