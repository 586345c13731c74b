import { z } from 'zod';
import { idParams, messageAnswer } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { idempotencyKey } from '#shared/idempotency-key.ts';
import { isPlainName } from '#shared/name-rules.ts';
import { pageOf, pagingQuery } from '#shared/paging.ts';

const status = z.enum(['0', '1']).describe('1 Active, 0 Inactive');

const billKnown = z.boolean();

const company = z
  .object({
    _id: z.string(),
    company_name: z.string(),
    company_code: z.string().describe('Made by the server; never changes'),
    status,
    bill_known: billKnown.describe(
      'Whether rows that an import answers from the device register are billed; a ticket keeps it as at its import',
    ),
  })
  .meta({ id: 'Company' });

const companyBody = z
  .object({
    company_name: z.string().trim().min(1).max(200).refine(isPlainName, 'server_name_one_line'),
    bill_known: billKnown.optional().describe('By default unchanged, and true for a new client'),
  })
  .meta({ id: 'CompanyTerms', examples: [{ company_name: 'Acme Mobile', bill_known: true }] });

const companyChange = companyBody
  .partial()
  .superRefine(({ company_name, bill_known }, { addIssue }) => {
    if (company_name !== undefined || bill_known !== undefined) return;
    addIssue({ code: 'invalid_type', expected: 'string', path: ['company_name'], input: undefined });
  })
  .meta({
    id: 'CompanyChange',
    description: 'At least one of both; the other one stays as it is',
    examples: [{ company_name: 'Acme Mobile' }],
  });
export type CompanyChange = z.infer<typeof companyChange>;

const companyAnswer = z.object({ client: company }).meta({ id: 'CompanyAnswer' });

export const listCompanies = endpoint({
  route: 'GET /clients',
  access: 'superadmin',
  summary: 'List clients',
  query: pagingQuery,
  response: pageOf(company).meta({ id: 'CompanyPage' }),
});

export const listCompanyCodes = endpoint({
  route: 'GET /clients/all',
  access: 'superadmin',
  summary: 'List all company codes and names, for dropdowns',
  query: z.object({
    status: status.optional().describe('1 for Active, 0 for Inactive clients; by default all'),
  }),
  response: z
    .object({ data: z.array(z.object({ company_code: z.string(), company_name: z.string() })) })
    .meta({ id: 'CompanyCodeList' }),
});

export const getOwnCompany = endpoint({
  route: 'GET /clients/own',
  access: 'standard',
  summary: "Read the caller's client: an Inactive one can read and download, but not upload",
  response: companyAnswer,
  failures: [404],
});

export const createCompany = endpoint({
  route: 'POST /clients',
  access: 'superadmin',
  summary: 'Create a client; the server makes its company code',
  headers: idempotencyKey,
  status: 201,
  body: companyBody,
  response: companyAnswer,
  failures: [422],
});

export const updateCompany = endpoint({
  route: 'PUT /clients/{id}',
  access: 'superadmin',
  summary: 'Change the name and billing of a client',
  params: idParams,
  body: companyChange,
  response: companyAnswer,
  failures: [404],
});

export const updateCompanyStatus = endpoint({
  route: 'PUT /clients/status/{id}',
  access: 'superadmin',
  summary: 'Make a client Active (1) or Inactive (0)',
  params: idParams,
  body: z.object({ status }).meta({ id: 'CompanyStatus' }),
  response: companyAnswer,
  failures: [404],
});

export const deleteCompany = endpoint({
  route: 'DELETE /clients/{id}',
  access: 'superadmin',
  summary: 'Delete a client without users, tickets and invoices',
  params: idParams,
  response: messageAnswer,
  failures: [404, 409],
});
