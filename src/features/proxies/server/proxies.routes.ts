import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/context.ts';
import { fileMissing, readUploadedFile } from '#server/read-upload.ts';
import { route } from '#server/route.ts';
import { m } from '#shared/texts/messages.js';
import * as contract from '../proxies.contract.ts';
import { deleteProxySet, listProxySets, uploadProxies } from './proxies.service.ts';

const mostBytes = 10 * 1024 * 1024;

/** Serves the proxy sets. */
export function registerProxies(app: FastifyInstance, context: Context): void {
  const { db } = context;
  route(app, contract.uploadProxies, async ({ request, locale }) => {
    const file = await readUploadedFile(request, contract.uploadProxies.file, mostBytes);
    if (!file) throw fileMissing();
    return {
      message: m.server_proxies_uploaded({}, { locale }),
      data: await uploadProxies(context, file, locale),
    };
  });
  route(app, contract.listProxySets, ({ locale }) => listProxySets(db, context.now(), locale));
  route(app, contract.deleteProxySet, async ({ params, locale }) => {
    await deleteProxySet(db, params.proxy_set);
    return { message: m.server_proxy_set_deleted({}, { locale }) };
  });
}
