import type { FastifyInstance } from 'fastify';
import { route } from '#server/http/route.ts';
import { openBackgroundMailer } from '#server/mail/background-mailer.ts';
import type { Context } from '#server/runtime/context.ts';
import { repeatWork } from '#server/runtime/repeat-work.ts';
import { m } from '#shared/texts/messages.js';
import * as contract from '../watch.contract.ts';
import { writeCalendar } from './calendar/calendar.ts';
import { queueDigests } from './digests/queue-digests.ts';
import { confirmSubscription, readConfirmation } from './resubscription.service.ts';
import { sendWatchMails } from './send-mails.ts';
import { getWatch, putWatch, readSubscription, renewWatch, unsubscribe } from './watch.service.ts';

const roundMs = 60_000;

/** Serves the expiry watch, and sends its digests. Every API process does so; the database gives each digest to one. */
export function registerWatch(app: FastifyInstance, context: Context): void {
  const { db, log } = context;
  const mailer = openBackgroundMailer(app, context);
  // They end before the mailer closes: hooks run in reverse order.
  const rounds = { everyMs: roundMs, failure: 'the expiry watch failed and will be tried again' };
  repeatWork(app, log, rounds, (signal) => queueDigests(context, signal));
  repeatWork(app, log, rounds, (signal) => sendWatchMails(context, mailer.send, signal));

  route(app, contract, 'getWatch', ({ params, caller }) => getWatch(context, caller, params.company_code));
  route(app, contract, 'putWatch', ({ params, body, caller }) =>
    putWatch(context, caller, params.company_code, body),
  );
  route(app, contract, 'renewWatch', ({ params, caller }) =>
    renewWatch(context, caller, params.company_code),
  );
  route(app, contract, 'readCalendar', async ({ params, reply }) => {
    const calendar = await writeCalendar(context, params.secret);
    return reply
      .type('text/calendar; charset=utf-8')
      .header('cache-control', 'private, no-store')
      .send(calendar);
  });
  route(app, contract, 'readSubscription', async ({ params, request, reply }) => {
    // A mail program without one-click removal opens the address of the header in a browser.
    if (request.headers.accept?.includes('text/html')) {
      return reply.redirect(`${context.publicUrl}/unsubscribe/${encodeURIComponent(params.token)}`);
    }
    return readSubscription(db, params.token);
  });
  route(app, contract, 'readConfirmation', ({ params }) => readConfirmation(db, params.token));
  route(app, contract, 'confirmSubscription', async ({ params, locale }) => {
    await confirmSubscription(db, params.token);
    return { message: m.server_watch_confirmed({}, { locale }) };
  });
  void app.register(async (scope) => {
    // Mail programs send the form of RFC 8058 in one of two types. The token in the path makes it superfluous.
    scope.removeContentTypeParser('multipart/form-data');
    scope.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'multipart/form-data'],
      { parseAs: 'string', bodyLimit: 1024 },
      (_request, _form, done) => done(null, undefined),
    );
    route(scope, contract, 'unsubscribe', async ({ params, locale }) => {
      await unsubscribe(db, params.token);
      return { message: m.server_watch_unsubscribed({}, { locale }) };
    });
  });
}
