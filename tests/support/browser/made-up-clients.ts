import { listCompanies } from '#features/clients/clients.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import type { FakeApi } from './fake-api.ts';
import { pageOf } from './paging.ts';

type Client = Answer<typeof listCompanies>['data'][number];

/** An Active client. */
export const client: Client = {
  _id: '7',
  company_name: 'Quokka',
  company_code: 'QUO001',
  status: '1',
  bill_known: true,
};

/** Answers the list of clients, on one page. */
export function answerClients(api: FakeApi, ...clients: Client[]): void {
  api.answer(listCompanies, pageOf(clients));
}
