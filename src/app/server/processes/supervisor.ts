import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Log } from '#server/runtime/log.ts';
import { StartError } from '#server/runtime/start-error.ts';
import type { ChildMessage, SupervisorMessage } from './child.ts';

/**
 * A process to keep running: a module that calls `receiveEnvironment` and `runChild`. The process gets `env` when it is
 * made, and `later` by `receiveEnvironment`. If `later` rejects, the process is ended.
 */
export type ChildSpec = {
  name: string;
  module: URL;
  env: NodeJS.ProcessEnv;
  later: Promise<NodeJS.ProcessEnv>;
};

/** A supervised process. `drain` kills it if it has not ended after `ms` (see `Running.drain`). */
export type SupervisedProcess = { drain(ms: number, isReplaced?: boolean): Promise<void> };

/** The error of a child that ended before it was ready, or that must not be restarted. The message is the child's reason. */
export class ChildError extends StartError {}

const firstPauseMs = 250;
const maxPauseMs = 10_000;
/** After a run of this length the pause before a restart is short again. */
const goodRunMs = 60_000;

/**
 * Starts a process, and restarts it whenever it dies, with exponential backoff up to 10 seconds. Children end by
 * themselves when this process has ended.
 * @param onFinalFailure called when the process ended after it was ready and every restart would fail
 * @returns once the process is ready for the first time
 * @throws ChildError if the first start fails
 */
export async function superviseChild(
  spec: ChildSpec,
  log: Log,
  onFinalFailure: (error: ChildError) => void,
): Promise<SupervisedProcess> {
  let stopping = false;
  let pauseMs = firstPauseMs;
  let timer: NodeJS.Timeout | undefined;
  let child = launch(spec);

  const keepAlive = () => {
    const startedAt = performance.now();
    child.on('message', (message: ChildMessage) => {
      if (message.type !== 'failed') return;
      if (!message.final) {
        log.error({ process: spec.name, reason: message.reason }, 'a process could not be started again');
        return;
      }
      stopping = true;
      onFinalFailure(new ChildError(message.reason));
    });
    // A process that could not be made has no `exit` event.
    child.once('close', (code, signal) => {
      if (stopping) return;
      if (performance.now() - startedAt > goodRunMs) pauseMs = firstPauseMs;
      log.error({ process: spec.name, code, signal, pause: pauseMs }, 'a process ended and is restarted');
      timer = setTimeout(() => {
        child = launch(spec);
        keepAlive();
      }, pauseMs);
      pauseMs = Math.min(pauseMs * 2, maxPauseMs);
    });
  };

  await untilReady(child);
  keepAlive();
  return {
    async drain(ms, isReplaced = false) {
      stopping = true;
      clearTimeout(timer);
      await drainChild(child, ms, isReplaced);
    },
  };
}

function launch({ module, env, later }: ChildSpec): ChildProcess {
  // Standard output is only for the lines that the commands print, so children print to standard error.
  const child = fork(fileURLToPath(module), [], { env, stdio: ['pipe', 2, 2, 'ipc'] });
  // Sending to a child that has just died fails. Its `exit` event is handled instead.
  child.on('error', () => undefined);
  child.stdin?.on('error', () => undefined);
  later.then(
    (variables) => child.stdin?.end(JSON.stringify(variables)),
    () => child.kill(),
  );
  return child;
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: ChildMessage) => {
      if (message.type === 'ready') resolve();
      else reject(new ChildError(message.reason));
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new ChildError(`it ended with ${signal ?? code}`)));
  });
}

async function drainChild(child: ChildProcess, ms: number, isReplaced: boolean): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  const message: SupervisorMessage = { type: 'drain', isReplaced };
  child.send(message, () => undefined);
  await ended;
  clearTimeout(timer);
}
