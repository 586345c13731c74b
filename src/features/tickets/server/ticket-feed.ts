import { type EventStream, writeEvent } from '#server/event-stream.ts';
import type { Scope } from './tickets.queries.ts';

/** A ticket is told at most once in this time; a little more than a second, as timers may fire early. */
const pauseMs = 1_010;

/** Tells streams of events which tickets changed. */
export class TicketFeed {
  /** The streams of each company, and under null those that see every company. */
  readonly #followers = new Map<Scope, Set<EventStream>>();
  /** The tickets that were told less than a second ago, with the latest that is still to be told. */
  readonly #resting = new Map<string, string | undefined>();

  /** Has a stream told of what lies in a scope until it closes. */
  follow(scope: Scope, stream: EventStream): void {
    const streams = this.#followers.get(scope) ?? new Set();
    this.#followers.set(scope, streams.add(stream));
    stream.once('close', () => {
      streams.delete(stream);
      if (streams.size === 0) this.#followers.delete(scope);
    });
  }

  /** Takes a notice of the channel `changed_tickets`: company, number and data, parted by blanks. */
  tell(notice: string): void {
    if (this.#followers.size === 0) return;
    const ticket = notice.slice(0, notice.indexOf(' ', notice.indexOf(' ') + 1));
    if (this.#resting.has(ticket)) this.#resting.set(ticket, notice);
    else this.#send(ticket, notice);
  }

  #send(ticket: string, notice: string): void {
    const event = writeEvent('ticket', notice.slice(ticket.length + 1));
    const company = ticket.slice(0, ticket.indexOf(' '));
    for (const scope of [null, company]) {
      for (const stream of this.#followers.get(scope) ?? []) stream.send(event);
    }
    this.#resting.set(ticket, undefined);
    setTimeout(() => {
      const latest = this.#resting.get(ticket);
      this.#resting.delete(ticket);
      if (latest !== undefined) this.#send(ticket, latest);
    }, pauseMs).unref();
  }
}
