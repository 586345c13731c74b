import type { FastifyInstance } from 'fastify';
import { currentOrigin } from '#server/http/origin.ts';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import { type FileLimit, receiveFile } from '#server/uploads/receive-file.ts';
import { m } from '#shared/texts/messages.js';
import * as contract from '../proxies.contract.ts';
import { deleteProxySet, listProxySets, recordRead, uploadProxies } from './proxies.service.ts';

const limit: FileLimit = {
  bytes: 10 * 1024 * 1024,
  tooLarge: m.proxies_too_large,
};

export function registerProxies(app: FastifyInstance, context: Context): void {
  const { db } = context;
  route(app, contract, 'uploadProxies', async ({ request, caller, locale }) => {
    const pieces: Buffer[] = [];
    await receiveFile(request, contract.uploadProxies.file, limit, async (file) => {
      for await (const piece of file) pieces.push(piece);
    });
    return {
      message: m.server_proxies_uploaded({}, { locale }),
      data: await uploadProxies(context, caller, Buffer.concat(pieces), locale),
    };
  });
  route(app, contract, 'listProxySets', async ({ query, locale, request }) => {
    const withProxies = query.proxies === '1';
    const sets = await listProxySets(db, { withProxies, now: context.now() }, locale);
    const origin = currentOrigin();
    if (withProxies) request.beforeBody = () => recordRead(db, sets.summary, origin);
    return sets;
  });
  route(app, contract, 'deleteProxySet', async ({ params, caller, locale }) => {
    await deleteProxySet(db, caller, params.proxy_set);
    return { message: m.server_proxy_set_deleted({}, { locale }) };
  });
}
