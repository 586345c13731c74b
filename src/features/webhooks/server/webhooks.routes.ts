import type { FastifyInstance } from 'fastify';
import { route } from '#server/http/route.ts';
import { openBackgroundMailer } from '#server/mail/background-mailer.ts';
import type { Context } from '#server/runtime/context.ts';
import { repeatWork } from '#server/runtime/repeat-work.ts';
import { m } from '#shared/texts/messages.js';
import * as contract from '../webhooks.contract.ts';
import { Deliveries } from './delivery/deliver.ts';
import {
  cleanUpDeliveries,
  getDelivery,
  listDeliveries,
  redeliver,
  testWebhook,
} from './delivery/deliveries.service.ts';
import { createReceiverConnections } from './delivery/send-message.ts';
import { publishDeviceChanges } from './events/device-changes.service.ts';
import { sendWebhookMails } from './mail/send-mails.ts';
import { deleteOldSecrets } from './webhooks.queries.ts';
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  renewWebhookSecret,
  updateWebhook,
} from './webhooks.service.ts';

/** How late an event may be sent. */
const deliveryMs = 1000;
/** Changes of devices wait this long for others, to be sent together. */
const deviceChangesMs = 2000;
const mailMs = 60_000;
const cleaningMs = 3_600_000;

/** Serves webhooks and delivers their events. Every API process does so; the database gives each delivery to one. */
export function registerWebhooks(app: FastifyInstance, context: Context): void {
  const { db } = context;
  const wake = startDelivery(app, context);
  route(app, contract, 'listWebhooks', ({ query, caller }) => listWebhooks(db, caller, query));
  route(app, contract, 'createWebhook', ({ body, caller, locale }) =>
    createWebhook(context, caller, body, locale),
  );
  route(app, contract, 'updateWebhook', ({ params, body, caller }) =>
    updateWebhook(context, caller, params.id, body),
  );
  route(app, contract, 'deleteWebhook', async ({ params, caller, locale }) => {
    await deleteWebhook(db, caller, params.id);
    return { message: m.server_webhook_deleted({}, { locale }) };
  });
  route(app, contract, 'renewWebhookSecret', ({ params, caller }) =>
    renewWebhookSecret(db, caller, params.id),
  );
  route(app, contract, 'testWebhook', ({ params, caller }) =>
    testWebhook(context, caller, params.id).finally(wake),
  );
  route(app, contract, 'listDeliveries', ({ params, query, caller }) =>
    listDeliveries(db, caller, params.id, query),
  );
  route(app, contract, 'getDelivery', ({ params, caller }) =>
    getDelivery(context, caller, params.id, params.delivery_id),
  );
  route(app, contract, 'redeliver', ({ params, caller }) =>
    redeliver(context, caller, params.id, params.delivery_id).finally(wake),
  );
}

/** Starts the background work of webhooks. @returns a function that looks for due deliveries at once */
function startDelivery(app: FastifyInstance, context: Context): () => void {
  const { db, config, log } = context;
  const mailer = openBackgroundMailer(app, context);
  const agent = createReceiverConnections(config.ALLOW_PRIVATE_WEBHOOKS);
  const deliveries = new Deliveries(context, agent);
  // Before the mailer closes, and after the repeated work has ended: hooks run in reverse order.
  app.addHook('onClose', async () => {
    await deliveries.waitForAll();
    await agent.close();
  });
  const repeat = (everyMs: number, failed: string, work: () => Promise<unknown>) =>
    repeatWork(app, log, { everyMs, failure: `${failed} and will be tried again` }, work);
  const delivery = repeat(deliveryMs, 'due deliveries could not be found', () => deliveries.startDue(wake));
  const wake = () => delivery.wake();
  repeat(deviceChangesMs, 'events of changed devices could not be queued', () =>
    publishDeviceChanges(db, config.APP_TIMEZONE),
  );
  repeat(mailMs, 'mails about webhooks could not be sent', () => sendWebhookMails(context, mailer.send));
  repeat(cleaningMs, 'old secrets and deliveries could not be deleted', async () => {
    await deleteOldSecrets.run(db);
    return cleanUpDeliveries(db);
  });
  return wake;
}
