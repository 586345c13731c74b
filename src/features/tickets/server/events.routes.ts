import type { FastifyInstance } from 'fastify';
import { scopeOf } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import { unavailable } from '#server/errors.ts';
import { sendEvents } from '#server/event-stream.ts';
import { route } from '#server/route.ts';
import { followTickets } from '../tickets.contract.ts';
import { OpenStreams } from './open-streams.ts';
import { TicketFeed } from './ticket-feed.ts';

/** Serves the stream of events that tells which tickets change. */
export function registerEvents(app: FastifyInstance, context: Context): void {
  const { notices } = app;
  const feed = new TicketFeed();
  const streams = new OpenStreams();
  notices.hear('changed_tickets', (notice) => feed.tell(notice));
  // Whose session goes on opens another one.
  notices.hear('changed_users', (id) => streams.end((caller) => String(caller.id) === id));
  notices.hear('changed_clients', (code) => streams.end(({ companyCode }) => companyCode === code));
  // Who reads on would never hear what was told meanwhile.
  notices.onGap(() => streams.end());
  app.addHook('preClose', async () => streams.end());

  route(app, followTickets, async ({ caller, request, reply }) => {
    if (!notices.isOpen) throw unavailable();
    const stream = streams.open(caller, context.now());
    feed.follow(scopeOf(caller), stream);
    // A session that ended since the first look, before there was a stream to be ended.
    await app.authenticate(request).catch((error: unknown) => {
      stream.destroy();
      throw error;
    });
    return sendEvents(reply, stream);
  });
}
