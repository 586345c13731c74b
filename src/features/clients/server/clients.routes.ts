import type { FastifyInstance } from 'fastify';
import { requireId } from '#server/http/errors/errors.ts';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import * as contract from '../clients.contract.ts';
import { listClientCodes } from './clients.queries.ts';
import { changeClient, clientNotFound, createClient, deleteClient, listClients } from './clients.service.ts';

/** Serves the calls of the Clients screen and of the company dropdowns. */
export function registerClients(app: FastifyInstance, { db }: Context): void {
  route(app, contract.listClients, ({ query }) => listClients(db, query));
  route(app, contract.listAllClients, async ({ query }) => ({
    data: await listClientCodes(db, query.status === undefined ? undefined : query.status === '1'),
  }));
  route(app, contract.createClient, async ({ body }) => ({
    client: await createClient(db, body.company_name),
  }));
  route(app, contract.updateClient, async ({ params, body }) => ({
    client: await changeClient(db, idOf(params), body),
  }));
  route(app, contract.changeClientStatus, async ({ params, body }) => ({
    client: await changeClient(db, idOf(params), { active: body.status === '1' }),
  }));
  route(app, contract.deleteClient, async ({ params, locale }) => {
    await deleteClient(db, idOf(params));
    return { message: m.server_client_deleted({}, { locale }) };
  });
}

const idOf = ({ id }: { id: number | null }) => requireId(id, clientNotFound);
