import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { Loop } from '#server/concurrency/loop.ts';
import type { Context } from '#server/runtime/context.ts';
import { breakConnection } from './connection.ts';
import { createListeningClient, listenTo } from './listening-client.ts';

declare module 'fastify' {
  interface FastifyInstance {
    notices: Notices;
  }
}

const reconnectMs = 500;

/** The notices that this process hears, on one connection for all who want to hear some. */
class Notices {
  readonly #hearers = new Map<string, ((payload: string) => void)[]>();
  readonly #missed: (() => void)[] = [];
  readonly #context: Pick<Context, 'databaseUrl' | 'log'>;
  readonly #loop: Loop;
  readonly #tried = Promise.withResolvers<void>();
  #client: pg.Client | undefined;
  #isOpen = false;
  #closed = false;

  constructor(context: Pick<Context, 'databaseUrl' | 'log'>) {
    this.#context = context;
    this.#loop = new Loop(() => this.#listen(), {
      pauseMs: () => reconnectMs,
      onFailure: (error) => {
        this.#tried.resolve();
        if (!this.#closed)
          context.log.warn({ err: error }, 'notices cannot be heard; it will be tried again');
      },
    });
  }

  /** Calls `heard` with each notice of a channel (a migration's trigger sends them). To be called before `start`. */
  hear(channel: string, heard: (payload: string) => void): void {
    this.#hearers.set(channel, [...(this.#hearers.get(channel) ?? []), heard]);
  }

  /** Has `missed` called when the connection is lost: what is told from then on may never be heard. */
  onGap(missed: () => void): void {
    this.#missed.push(missed);
  }

  /** Begins to hear; a lost connection is replaced by another. Resolves once the first was tried. */
  start(): Promise<void> {
    this.#loop.wake();
    return this.#tried.promise;
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#client) breakConnection(this.#client, new Error('this process ends'));
    await this.#loop.stop();
  }

  /** Hears notices until the connection is lost. */
  async #listen(): Promise<void> {
    const { client, pulse } = createListeningClient({
      connectionString: this.#context.databaseUrl,
      application_name: 'coverdesk notices',
    });
    this.#client = client;
    const lost = new Promise<Error>((resolve) => client.once('error', resolve));
    // Whatever follows the first error, the connection is of no use by then.
    client.on('error', () => undefined);
    client.on('notification', ({ channel, payload }) => {
      for (const heard of this.#hearers.get(channel) ?? []) heard(payload ?? '');
    });
    try {
      await client.connect();
      await listenTo(client, this.#hearers.keys());
      this.#isOpen = true;
      this.#tried.resolve();
      pulse.start();
      throw await lost;
    } finally {
      breakConnection(client, new Error('notices are heard on another connection'));
      await pulse.stop();
      if (this.#isOpen) for (const missed of this.#missed) missed();
      this.#isOpen = false;
    }
  }
}

/** Lets features hear notices through `app.notices`, from the moment when the API is ready until it closes. */
export function registerNotices(app: FastifyInstance, context: Context): void {
  const notices = new Notices(context);
  app.decorate('notices', notices);
  app.addHook('onReady', () => notices.start());
  app.addHook('onClose', () => notices.close());
}
