import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Log } from '#server/runtime/log.ts';
import { StartError } from '#server/runtime/start-error.ts';
import type { ChildMessage, SupervisorMessage } from './child.ts';

/** One process to keep running: a module that calls `runChild`, and the environment it reads its configuration from. */
export type ChildSpec = { name: string; module: URL; env: NodeJS.ProcessEnv };

/** A supervised process. `drain` lets it finish within `patience` milliseconds; what is left then is killed. */
export type Supervised = { drain(patience: number): Promise<void> };

/** A child ended before it was ready, or for good; the message is its own reason. */
export class ChildError extends StartError {}

const firstPause = 250;
const longestPause = 10_000;
/** A process that ran this long had a good start, so that its next restart is quick again. */
const goodRun = 60_000;

/**
 * Starts a process and starts it again whenever it dies, at once at first and up to 10 seconds apart when it keeps
 * dying. Children end by themselves when this process is gone, however it ended.
 * @param onFinalFailure called when the process ended after it was ready and every restart would fail
 * @param early from `startEarly`, for its first start
 * @returns once the process is ready for the first time
 * @throws ChildError when its first start fails
 */
export async function superviseChild(
  spec: ChildSpec,
  log: Log,
  onFinalFailure: (error: ChildError) => void,
  early?: (env: NodeJS.ProcessEnv) => ChildProcess | undefined,
): Promise<Supervised> {
  let stopping = false;
  let pause = firstPause;
  let timer: NodeJS.Timeout | undefined;
  let child = early?.(spec.env) ?? launch(spec);

  const keepAlive = () => {
    const startedAt = performance.now();
    child.on('message', (message: ChildMessage) => {
      if (message.type !== 'failed' || !message.final) return;
      stopping = true;
      onFinalFailure(new ChildError(message.reason));
    });
    child.once('exit', (code, signal) => {
      if (stopping) return;
      if (performance.now() - startedAt > goodRun) pause = firstPause;
      log.error({ process: spec.name, code, signal, pause }, 'a process ended and is started again');
      timer = setTimeout(() => {
        child = launch(spec);
        keepAlive();
      }, pause);
      pause = Math.min(pause * 2, longestPause);
    });
  };

  await untilReady(child);
  keepAlive();
  return {
    async drain(patience) {
      stopping = true;
      clearTimeout(timer);
      await drainChild(child, patience);
    },
  };
}

/**
 * Starts a process before its environment is known, so that it loads its modules while the database comes up. It ends
 * by itself when this process does.
 * @param imported what the module will import
 * @returns gives it the environment; undefined when it ended meanwhile
 */
export function startEarly(
  { module, env }: Pick<ChildSpec, 'module' | 'env'>,
  imported: URL,
): (env: NodeJS.ProcessEnv) => ChildProcess | undefined {
  const child = launch({ module: new URL('./early-child.ts', import.meta.url), env }, [
    module.href,
    imported.href,
  ]);
  // A start that is given up leaves nothing that keeps this process.
  child.unref();
  child.channel?.unref();
  return (full) => {
    if (!child.connected) return undefined;
    child.ref();
    child.channel?.ref();
    const message: SupervisorMessage = { type: 'begin', env: full };
    child.send(message, () => undefined);
    return child;
  };
}

function launch({ module, env }: Pick<ChildSpec, 'module' | 'env'>, args: string[] = []): ChildProcess {
  // Standard output belongs to the lines that the commands promise; whatever a child prints goes to the log's stream.
  const child = fork(fileURLToPath(module), args, {
    env,
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  // A message to a child that has just died fails; its end is what counts.
  child.on('error', () => undefined);
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

async function drainChild(child: ChildProcess, patience: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), patience);
  const message: SupervisorMessage = { type: 'drain' };
  child.send(message, () => undefined);
  await ended;
  clearTimeout(timer);
}
