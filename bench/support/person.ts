import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Session } from '../../tests/support/product/client.ts';

/** The calls of all simulated users. */
export type Asked = {
  /** Durations in ms, from the call to the last byte of its response, by call. */
  times: Map<string, number[]>;
  unchanged: number;
  /** Durations in ms of calls during the import of a large sheet. */
  besideImport: number[];
  importing: boolean;
  /** Descriptions of failed calls. */
  faults: string[];
};

/** A read of a screen, repeated every `everyMs` if given. */
type Read = { path: string; everyMs?: number };
type Screen = Read[];

const runningMs = 5000;
const rowsMs = 3000;
/** The poll of every screen's frame. */
const frame: Read = { path: '/tickets/activity', everyMs: runningMs };
const numbers: Read = { path: '/tickets/ticket-numbers?coverage_deleted=false' };
const pageRows = 50;

/** Returns the reads of a ticket's tracker. */
function trackerOf(ticket: string, rowsPath: string): Screen {
  return [
    numbers,
    { path: `/tickets/progress?ticket_number=${ticket}`, everyMs: runningMs },
    { path: rowsPath, everyMs: runningMs },
  ];
}

/** Returns the reads of each screen (see the `.api.ts` files of src/features), for a user with a running ticket. */
function screensOf(ticket: string, rows: number, superadmin: boolean): ((page: number) => Screen)[] {
  const running: Read = { path: '/tickets/all-progress', everyMs: runningMs };
  const page = (number: number, size: number) =>
    `/imei?ticket_number=${ticket}&page=${(number % Math.ceil(rows / size)) + 1}&limit=${size}`;
  const shared = [
    () => [running, { path: '/home/summary' }],
    (number: number) => trackerOf(ticket, page(number, 10)),
  ];
  const standard = (number: number) => [
    numbers,
    { path: page(number, pageRows), everyMs: rowsMs },
    { path: `/imei?ticket_number=${ticket}&limit=1&counts=1` },
    { path: `/data/${ticket}/import` },
  ];
  if (!superadmin) return [...shared, standard, standard];
  return [
    ...shared,
    () => [running, { path: '/tickets?page=1&limit=12', everyMs: runningMs }, { path: '/clients/all' }],
    () => [{ path: '/sources', everyMs: runningMs }],
    () => [{ path: '/clients?page=1&limit=10' }],
    () => [{ path: '/audit?page=1&limit=50' }],
  ];
}

/** Returns the time that a user stays on a screen or page. */
const lookMs = () => Math.round(8_000 + Math.random() * 22_000);
const connectionsPerSession = 6;
/** The period in which all users arrive. 5 seconds simulate browsers that reconnect after a restart. */
const arriveMs = Number(process.env.BENCH_ARRIVE_SECONDS ?? 30) * 1000;
/** A simulated user who opens one screen after the other and sends known ETags. */
export class Person {
  readonly #session: Session;
  readonly #ticket: string;
  readonly #asked: Asked;
  readonly #screens: ((page: number) => Screen)[];
  readonly #agent = new Agent({ connections: connectionsPerSession });
  readonly #tags = new Map<string, string>();

  constructor(session: Session, ticket: string, rows: number, superadmin: boolean, asked: Asked) {
    this.#session = session;
    this.#ticket = ticket;
    this.#asked = asked;
    this.#screens = screensOf(ticket, rows, superadmin);
  }

  /** Keeps a tracker open until the signal aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    await this.#arrive(signal);
    const rows = `/imei?ticket_number=${this.#ticket}&page=1&limit=10`;
    await this.#lookAt([frame, ...trackerOf(this.#ticket, rows)], signal);
    await this.#agent.destroy();
  }

  /** Waits for a random part of the arrival period. */
  async #arrive(signal: AbortSignal): Promise<void> {
    await delay(Math.random() * arriveMs, undefined, { signal }).catch(() => undefined);
  }

  /** Browses until the signal aborts. */
  async browse(signal: AbortSignal): Promise<void> {
    await this.#arrive(signal);
    while (!signal.aborted) {
      const screen = this.#screens[Math.floor(Math.random() * this.#screens.length)];
      if (screen) await this.#look([frame, ...screen(Math.floor(Math.random() * 1000))], signal);
    }
    await this.#agent.close();
  }

  async #look(screen: Screen, signal: AbortSignal): Promise<void> {
    const left = AbortSignal.any([signal, AbortSignal.timeout(lookMs())]);
    await this.#lookAt(screen, left);
    if (!left.aborted)
      await new Promise((resolve) => left.addEventListener('abort', resolve, { once: true }));
  }

  async #lookAt(screen: Screen, left: AbortSignal): Promise<void> {
    await Promise.all(
      screen.map(async ({ path, everyMs }) => {
        await this.#ask(path);
        while (everyMs !== undefined && !left.aborted) {
          await delay(everyMs, undefined, { signal: left }).catch(() => undefined);
          if (!left.aborted) await this.#ask(path);
        }
      }),
    );
  }

  #note(path: string, ms: number): void {
    if (this.#asked.importing) this.#asked.besideImport.push(ms);
    const call = path.replace(/\d+/g, 'N');
    const times = this.#asked.times.get(call);
    if (times) times.push(ms);
    else this.#asked.times.set(call, [ms]);
  }

  async #ask(path: string): Promise<void> {
    const tag = this.#tags.get(path);
    const began = performance.now();
    try {
      const { statusCode, headers, body } = await request(`${this.#session.url}/api${path}`, {
        dispatcher: this.#agent,
        headers: { authorization: `Bearer ${this.#session.token}`, ...(tag && { 'if-none-match': tag }) },
      });
      const text = await body.text();
      this.#note(path, performance.now() - began);
      if (typeof headers.etag === 'string') this.#tags.set(path, headers.etag);
      if (statusCode === 304) this.#asked.unchanged += 1;
      else if (statusCode !== 200) this.#asked.faults.push(`${path}: ${statusCode} ${text.slice(0, 100)}`);
    } catch (error) {
      this.#asked.faults.push(`${path}: ${(error as Error).message}`);
    }
  }
}
