import { z } from 'zod';
import { idParams, messageAnswer } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { pageOf, pagingQuery } from '#shared/paging.ts';

const status = z.enum(['0', '1']);

const client = z.object({
  _id: z.string(),
  company_name: z.string(),
  company_code: z.string(),
  status,
});

const clientBody = z.object({ company_name: z.string().trim().min(1).max(200) });
const clientAnswer = z.object({ client });

export const listClients = endpoint({
  method: 'GET',
  path: '/clients',
  access: 'superadmin',
  summary: 'List clients',
  query: pagingQuery,
  response: pageOf(client),
});

export const listAllClients = endpoint({
  method: 'GET',
  path: '/clients/all',
  access: 'superadmin',
  summary: 'List all company codes and names, for dropdowns',
  query: z.object({ status: status.optional() }),
  response: z.object({ data: z.array(z.object({ company_code: z.string(), company_name: z.string() })) }),
});

export const createClient = endpoint({
  method: 'POST',
  path: '/clients',
  access: 'superadmin',
  summary: 'Create a client; the server makes its company code',
  status: 201,
  body: clientBody,
  response: clientAnswer,
});

export const updateClient = endpoint({
  method: 'PUT',
  path: '/clients/{id}',
  access: 'superadmin',
  summary: 'Rename a client',
  params: idParams,
  body: clientBody,
  response: clientAnswer,
});

export const changeClientStatus = endpoint({
  method: 'PUT',
  path: '/clients/status/{id}',
  access: 'superadmin',
  summary: 'Make a client Active (1) or Inactive (0)',
  params: idParams,
  body: z.object({ status }),
  response: clientAnswer,
});

export const deleteClient = endpoint({
  method: 'DELETE',
  path: '/clients/{id}',
  access: 'superadmin',
  summary: 'Delete a client without users and tickets',
  params: idParams,
  response: messageAnswer,
});
