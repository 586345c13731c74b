import type { FastifyInstance } from 'fastify';
import type { CountCache } from '#server/concurrency/count-cache.ts';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import * as contract from '../../views.contract.ts';
import { createView, deleteView, listViews, updateView } from './views.service.ts';

/** @param cache the counts of filtered lists, as for `registerDevices` */
export function registerViews(app: FastifyInstance, context: Context, cache: CountCache): void {
  const { db } = context;
  route(app, contract, 'listViews', ({ query, caller, db: reads }) =>
    listViews({ ...context, db: reads }, cache, caller, query),
  );
  route(app, contract, 'createView', async ({ body, caller }) => ({
    view: await createView(db, caller, body),
  }));
  route(app, contract, 'updateView', async ({ params, body, caller }) => ({
    view: await updateView(db, caller, params.id, body),
  }));
  route(app, contract, 'deleteView', async ({ params, caller, locale }) => {
    await deleteView(db, caller, params.id);
    return { message: m.server_view_deleted({}, { locale }) };
  });
}
