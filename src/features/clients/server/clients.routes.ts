import type { FastifyInstance } from 'fastify';
import { readKey } from '#server/http/idempotent-change.ts';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import * as contract from '../clients.contract.ts';
import { listCompanyCodes } from './clients.queries.ts';
import {
  createCompany,
  deleteCompany,
  getOwnCompany,
  listCompanies,
  updateCompany,
} from './clients.service.ts';

/** Serves the calls of the Clients screen and of the company dropdowns. */
export function registerClients(app: FastifyInstance, { db }: Context): void {
  route(app, contract, 'listCompanies', ({ query }) => listCompanies(db, query));
  route(app, contract, 'listCompanyCodes', async ({ query }) => ({
    data: await listCompanyCodes.all(db, {
      active: query.status === undefined ? undefined : query.status === '1',
    }),
  }));
  route(app, contract, 'getOwnCompany', async ({ caller }) => ({ client: await getOwnCompany(db, caller) }));
  route(app, contract, 'createCompany', async ({ body, caller, request }) => ({
    client: await createCompany(db, caller, body, readKey(request)),
  }));
  route(app, contract, 'updateCompany', async ({ params, body, caller }) => ({
    client: await updateCompany(db, caller, params.id, body),
  }));
  route(app, contract, 'updateCompanyStatus', async ({ params, body, caller }) => ({
    client: await updateCompany(db, caller, params.id, { active: body.status === '1' }),
  }));
  route(app, contract, 'deleteCompany', async ({ params, caller, locale }) => {
    await deleteCompany(db, caller, params.id);
    return { message: m.server_client_deleted({}, { locale }) };
  });
}
