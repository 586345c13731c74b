import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type * as contract from '#features/clients/clients.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { describeFailure } from '#web/client/failure.ts';
import { toast } from '#web/ui/feedback/toast.tsx';

export type Company = Answer<typeof contract.listCompanies>['data'][number];

/** One page of the client list; the page before stays on screen until the next one is there. */
export const companyPage = (page: number, limit: number) =>
  queryOptions({
    queryKey: ['clients', 'page', page, limit],
    queryFn: ({ signal }) =>
      call<typeof contract.listCompanies>('GET /clients', { query: { page, limit } }, signal),
    placeholderData: keepPreviousData,
  });

/** The company of the signed-in user; standard users alone may ask. */
export const ownCompanyQuery = queryOptions({
  queryKey: ['clients', 'own'],
  queryFn: ({ signal }) => call<typeof contract.getOwnCompany>('GET /clients/own', {}, signal),
});

/** The fields of a company that a form changes. */
type CompanyTerms = Pick<Company, 'company_name'> & Partial<Pick<Company, 'bill_known'>>;

export const createCompany = (body: CompanyTerms) =>
  call<typeof contract.createCompany>('POST /clients', { body });

export const updateCompany = (id: string, body: CompanyTerms) =>
  call<typeof contract.updateCompany>('PUT /clients/{id}', { params: { id }, body });

export const updateCompanyStatus = (id: string, status: Company['status']) =>
  call<typeof contract.updateCompanyStatus>('PUT /clients/status/{id}', { params: { id }, body: { status } });

export const deleteCompany = (id: string) =>
  call<typeof contract.deleteCompany>('DELETE /clients/{id}', { params: { id } });

const companyCodes = (status: Company['status'] | undefined) =>
  queryOptions({
    queryKey: ['clients', 'codes', status ?? 'all'],
    queryFn: ({ signal }) =>
      call<typeof contract.listCompanyCodes>('GET /clients/all', { query: { status } }, signal),
  });

/**
 * Returns company codes for a dropdown, as "CODE (Name)", and whether they are loading. A failure shows a toast and
 * leaves the list empty.
 * @param which codes of Active companies for new objects, or all codes
 * @param enabled false for callers without access to companies
 */
export function useCompanyCodes(
  which: 'active' | 'all',
  { enabled = true }: { enabled?: boolean } = {},
): { codes: { value: string; label: string }[]; loading: boolean } {
  const { data, error, isLoading } = useQuery({
    ...companyCodes(which === 'active' ? '1' : undefined),
    enabled,
  });
  useEffect(() => {
    if (error !== null) toast.error(describeFailure(error, m.clients_list_failed()));
  }, [error]);
  const codes = useMemo(
    () =>
      (data?.data ?? []).map(({ company_code: code, company_name: name }) => ({
        value: code,
        label: `${code} (${name})`,
      })),
    [data],
  );
  return { codes, loading: isLoading };
}
