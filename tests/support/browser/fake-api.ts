import type { Route } from '@playwright/test';
import type { Failure } from '#shared/answers.ts';
import type { Answer, Body, Endpoint } from '#shared/endpoint.ts';

type Reply = { status: number; json?: unknown };

/** The API as one test wants it: answers by the contract, and no server behind them. */
export class FakeApi {
  readonly #replies = new Map<Endpoint, () => Reply | Promise<Reply>>();
  readonly #sent: { endpoint: Endpoint; body: unknown }[] = [];
  /** Calls that the test said nothing of. */
  readonly unforeseen: string[] = [];
  /** Statuses that it answered failures with. */
  readonly failures = new Set<number>();

  /** Answers a call so from now on. */
  answer<E extends Endpoint>(endpoint: E, answer: Answer<E>): void {
    this.#replies.set(endpoint, () => ({ status: endpoint.status ?? 200, json: answer }));
  }

  /** Refuses a call in the server's words. */
  refuse(endpoint: Endpoint, status: number, message: string, more: Partial<Failure> = {}): void {
    const json = { message, error: message, code: 'refused', ...more };
    this.#replies.set(endpoint, () => ({ status, json }));
  }

  /** Fails a call without any words. */
  failWordless(endpoint: Endpoint): void {
    this.#replies.set(endpoint, () => ({ status: 500 }));
  }

  /** Keeps a call waiting for its answer until `letGo`. */
  hold(endpoint: Endpoint): { letGo(): void } {
    const reply = this.#replies.get(endpoint);
    if (!reply) throw new Error(`say first what ${endpoint.path} is answered`);
    const held = Promise.withResolvers<void>();
    this.#replies.set(endpoint, () => held.promise.then(reply));
    return { letGo: held.resolve };
  }

  /** The bodies of the calls that came. */
  bodiesOf<E extends Endpoint>(endpoint: E): Body<E>[] {
    return this.#sent.filter((call) => call.endpoint === endpoint).map(({ body }) => body as Body<E>);
  }

  async handle(route: Route): Promise<void> {
    const request = route.request();
    const path = new URL(request.url()).pathname.replace(/^\/api/, '');
    const endpoint = [...this.#replies.keys()].find(
      (known) => known.method === request.method() && toPattern(known.path).test(path),
    );
    if (!endpoint) this.unforeseen.push(`${request.method()} ${path}`);
    else this.#sent.push({ endpoint, body: readBody(request.postData()) });
    const { status, json } = (await (endpoint && this.#replies.get(endpoint))?.()) ?? { status: 501 };
    if (status >= 400) this.failures.add(status);
    // A call that the screen gave up meanwhile is gone.
    await route.fulfill(json === undefined ? { status, body: '' } : { status, json }).catch(() => undefined);
  }
}

const toPattern = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);

/** A body of JSON; a form is left as it is. */
function readBody(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return text;
  }
}
