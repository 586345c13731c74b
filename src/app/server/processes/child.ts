import { text } from 'node:stream/consumers';
import { MigrationError } from '#server/db/migrations/migrate.ts';
import { SettingsError } from '#server/processes/process-registration.ts';
import type { Log } from '#server/runtime/log.ts';
import { outliveOutput } from '#server/runtime/standard-error.ts';
import { StartError } from '#server/runtime/start-error.ts';
import { freeMemoryAfterStart } from './free-memory.ts';

/**
 * A started part of the product. `drain` finishes running work, accepts no new work, and closes everything.
 * @param isReplaced gives others the time to notice, because another process takes over
 */
export type StartedService = { drain(isReplaced: boolean): Promise<void> };

/** Logs the reason, sends it to the supervisor, and ends the process at once. */
export type Abort = (reason: Error) => void;

/** A message from a child to its supervisor. After a `final` failure, every restart would fail as well. */
export type ChildMessage = { type: 'ready' } | { type: 'failed'; reason: string; final: boolean };

/** A message from a supervisor to its child. */
export type SupervisorMessage = { type: 'drain'; isReplaced: boolean };

/**
 * Adds the variables that the supervisor sends on standard input, as JSON, once the database is ready. A process that
 * awaits this has loaded its modules by then, which takes most of its start.
 */
export async function receiveEnvironment(): Promise<void> {
  const sent = await text(process.stdin);
  if (sent) Object.assign(process.env, JSON.parse(sent));
}

/**
 * Runs a child process of the supervisor (see `superviseChild`). Reports when it is ready or why it cannot start. Drains
 * when the supervisor asks for it or at SIGTERM. Ends at once when the supervisor has ended.
 */
export async function runChild(log: Log, start: (abort: Abort) => Promise<StartedService>): Promise<void> {
  outliveOutput();
  // Ctrl-C reaches every process of a terminal. The supervisor decides when a child ends.
  process.on('SIGINT', () => undefined);
  process.on('disconnect', () => process.exit(1));
  // It may have ended while this process received its environment.
  if (!process.connected) process.exit(1);
  const crash = (error: unknown) => {
    log.fatal({ err: error }, 'unexpected failure, the process ends');
    process.exit(1);
  };
  const abort: Abort = async (reason) => {
    log.fatal(reason.message);
    await send(describeFailure(reason));
    process.exit(1);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);

  let running: StartedService;
  try {
    running = await start(abort);
  } catch (error) {
    // The supervisor prints the reason of a StartError, once for all processes that it starts.
    if (!(error instanceof StartError)) log.fatal({ err: error }, 'could not start');
    await send(describeFailure(error));
    process.exit(1);
  }
  let draining = false;
  const drain = async (isReplaced: boolean) => {
    if (draining) return;
    draining = true;
    log.info('the process finishes its work and ends');
    await running.drain(isReplaced);
    log.info('the process has ended');
    process.exit(0);
  };
  process.on('SIGTERM', () => void drain(true));
  process.on('message', ({ type, isReplaced }: SupervisorMessage) => {
    if (type === 'drain') void drain(isReplaced);
  });
  log.info('the process has started');
  await send({ type: 'ready' });
  freeMemoryAfterStart();
}

function describeFailure(error: unknown): ChildMessage {
  const reason = error instanceof Error ? error.message : String(error);
  const final = error instanceof MigrationError || error instanceof SettingsError;
  return { type: 'failed', reason, final };
}

function send(message: ChildMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.send) process.send(message, () => resolve());
    else resolve();
  });
}
