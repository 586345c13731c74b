import type { Route } from '@playwright/test';
import type { Failure } from '#shared/answers.ts';
import type { Answer, Body, Endpoint } from '#shared/endpoint.ts';

type Reply = { status: number; json?: unknown } | 'lost';

/** A fake API for one test. Its answers have the types of the contract. */
export class FakeApi {
  readonly #replies = new Map<Endpoint, () => Reply | Promise<Reply>>();
  readonly #sent: { endpoint: Endpoint; body: unknown }[] = [];
  /** Calls for which the test defined no answer. */
  readonly unforeseen: string[] = [];
  /** The browser's words for the failures that it was answered. */
  readonly failures = new Set<string>();

  /** Defines the answer of a call. */
  answer<E extends Endpoint>(endpoint: E, answer: Answer<E>): void {
    this.#replies.set(endpoint, () => ({ status: endpoint.status ?? 200, json: answer }));
  }

  /** Lets a call fail with a message. */
  refuse(endpoint: Endpoint, status: number, message: string, more: Partial<Failure> = {}): void {
    const json = { message, error: message, code: 'refused', ...more };
    this.#replies.set(endpoint, () => ({ status, json }));
  }

  /** Lets a call fail without a message. */
  failWordless(endpoint: Endpoint, status = 500): void {
    this.#replies.set(endpoint, () => ({ status }));
  }

  /** Lets a call arrive, and its connection end before the answer. */
  loseAnswer(endpoint: Endpoint): void {
    this.#replies.set(endpoint, () => 'lost');
  }

  /** Delays the answer of a call until `letGo`. */
  hold(endpoint: Endpoint): { letGo(): void } {
    const reply = this.#replies.get(endpoint);
    if (!reply) throw new Error(`define the answer of ${endpoint.route} first`);
    const held = Promise.withResolvers<void>();
    this.#replies.set(endpoint, () => held.promise.then(reply));
    return { letGo: held.resolve };
  }

  /** Returns the bodies of the received calls. */
  bodiesOf<E extends Endpoint>(endpoint: E): Body<E>[] {
    return this.#sent.filter((call) => call.endpoint === endpoint).map(({ body }) => body as Body<E>);
  }

  async handle(route: Route): Promise<void> {
    const request = route.request();
    const path = new URL(request.url()).pathname.replace(/^\/api/, '');
    const endpoint = [...this.#replies.keys()].find((known) =>
      toPattern(known.route).test(`${request.method()} ${path}`),
    );
    if (!endpoint) this.unforeseen.push(`${request.method()} ${path}`);
    else this.#sent.push({ endpoint, body: readBody(request.postData()) });
    const reply = (await (endpoint && this.#replies.get(endpoint))?.()) ?? { status: 501 };
    if (reply === 'lost') {
      this.failures.add('net::ERR_CONNECTION_RESET');
      return route.abort('connectionreset');
    }
    const { status, json } = reply;
    if (status >= 400) this.failures.add(`status of ${status}`);
    // The screen may have cancelled the call.
    await route.fulfill(json === undefined ? { status, body: '' } : { status, json }).catch(() => undefined);
  }
}

const toPattern = (route: string) => new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`);

/** Parses a JSON body. Returns a form unchanged. */
function readBody(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return text;
  }
}
