import { z } from 'zod';
import { idParams, messageAnswer } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { pageOf, pagingQuery } from '#shared/paging.ts';

const status = z.enum(['0', '1']);

const company = z.object({
  _id: z.string(),
  company_name: z.string(),
  company_code: z.string(),
  status,
});

const companyBody = z.object({ company_name: z.string().trim().min(1).max(200) });
const companyAnswer = z.object({ client: company });

export const listCompanies = endpoint({
  method: 'GET',
  path: '/clients',
  access: 'superadmin',
  summary: 'List clients',
  query: pagingQuery,
  response: pageOf(company),
});

export const listCompanyCodes = endpoint({
  method: 'GET',
  path: '/clients/all',
  access: 'superadmin',
  summary: 'List all company codes and names, for dropdowns',
  query: z.object({ status: status.optional() }),
  response: z.object({ data: z.array(z.object({ company_code: z.string(), company_name: z.string() })) }),
});

export const createCompany = endpoint({
  method: 'POST',
  path: '/clients',
  access: 'superadmin',
  summary: 'Create a client; the server makes its company code',
  status: 201,
  body: companyBody,
  response: companyAnswer,
});

export const updateCompany = endpoint({
  method: 'PUT',
  path: '/clients/{id}',
  access: 'superadmin',
  summary: 'Rename a client',
  params: idParams,
  body: companyBody,
  response: companyAnswer,
});

export const updateCompanyStatus = endpoint({
  method: 'PUT',
  path: '/clients/status/{id}',
  access: 'superadmin',
  summary: 'Make a client Active (1) or Inactive (0)',
  params: idParams,
  body: z.object({ status }),
  response: companyAnswer,
});

export const deleteCompany = endpoint({
  method: 'DELETE',
  path: '/clients/{id}',
  access: 'superadmin',
  summary: 'Delete a client without users and tickets',
  params: idParams,
  response: messageAnswer,
});
