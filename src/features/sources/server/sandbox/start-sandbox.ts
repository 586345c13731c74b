import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** A running sandbox service. `url` has no trailing slash. */
export type Sandbox = { url: string; stop(): Promise<void> };

/** Starts the sandbox's HTTP service on a free loopback port, in its own thread. */
export async function startSandbox(): Promise<Sandbox> {
  const thread = new Worker(new URL('./service.ts', import.meta.url));
  const [port] = (await once(thread, 'message')) as [number];
  // The thread must not keep its process alive.
  thread.unref();
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      await thread.terminate();
    },
  };
}
