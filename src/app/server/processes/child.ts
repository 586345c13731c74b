import { MigrationError } from '#server/db/migrations/migrate.ts';
import type { Log } from '#server/runtime/log.ts';
import { freeMemoryAfterStart } from './free-memory.ts';

/** A started part of the product. `drain` finishes what was begun, takes nothing new, and closes everything. */
export type Running = { drain(): Promise<void> };

/** Ends the process at once, for a reason that its log and its supervisor are told. */
type Abort = (reason: Error) => void;

/** What a child tells its supervisor; after a `final` failure every restart would fail as well. */
export type ChildMessage = { type: 'ready' } | { type: 'failed'; reason: string; final: boolean };

/** What a supervisor tells its child; `begin` one that was started early. */
export type SupervisorMessage = { type: 'drain' } | { type: 'begin'; env: NodeJS.ProcessEnv };

/**
 * Runs one process of the product under the supervisor (`superviseChild`): says when it is ready or why it cannot
 * start, drains when told or at SIGTERM, and ends at once when the supervisor is gone.
 */
export async function runChild(log: Log, start: (abort: Abort) => Promise<Running>): Promise<void> {
  // Ctrl-C reaches every process of a terminal; the supervisor alone decides what follows.
  process.on('SIGINT', () => undefined);
  process.on('disconnect', () => process.exit(1));
  const crash = (error: unknown) => {
    log.fatal({ err: error }, 'unexpected failure, the process ends');
    process.exit(1);
  };
  const abort: Abort = async (reason) => {
    log.fatal(reason.message);
    await tell(describeFailure(reason));
    process.exit(1);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);

  let running: Running;
  try {
    running = await start(abort);
  } catch (error) {
    log.fatal({ err: error }, 'could not start');
    await tell(describeFailure(error));
    process.exit(1);
  }
  let draining = false;
  const drain = async () => {
    if (draining) return;
    draining = true;
    await running.drain();
    process.exit(0);
  };
  process.on('SIGTERM', drain);
  process.on('message', (message: SupervisorMessage) => {
    if (message.type === 'drain') void drain();
  });
  await tell({ type: 'ready' });
  freeMemoryAfterStart();
}

function describeFailure(error: unknown): ChildMessage {
  const reason = error instanceof Error ? error.message : String(error);
  return { type: 'failed', reason, final: error instanceof MigrationError };
}

function tell(message: ChildMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.send) process.send(message, () => resolve());
    else resolve();
  });
}
