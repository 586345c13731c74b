// An API process whose clock its parent sets, as the product's API process otherwise.
import { runChild } from '#app/server/processes/child.ts';
import { serveApi } from '#app/server/processes/serve-api.ts';
import { parseConfig } from '#server/runtime/config.ts';
import { createLog } from '#server/runtime/log.ts';

/** Sets the clock to an instant (milliseconds since 1970), or releases it. It is answered with the same message. */
export type ClockMessage = { type: 'clock'; instant: number | null };

let instant: number | null = null;
process.on('message', (message: ClockMessage | { type: string }) => {
  if (!('instant' in message)) return;
  instant = message.instant;
  process.send?.(message);
});

const config = parseConfig(process.env);
const log = createLog('api', config.LOG_LEVEL);
await runChild(log, (abort) =>
  serveApi(config, log, abort, () => (instant === null ? new Date() : new Date(instant))),
);
