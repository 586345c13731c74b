import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type * as contract from '#features/clients/clients.contract.ts';
import type { Answer, Body } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { describeFailure } from '#web/client/failure.ts';
import { read } from '#web/client/read.ts';
import { toast } from '#web/ui/feedback/toast.tsx';

export type Company = Answer<typeof contract.listCompanies>['data'][number];

/** The company of the signed-in user; standard users alone may ask. */
export const ownCompanyQuery = read<typeof contract.getOwnCompany>(['clients'], 'GET /clients/own', {});

export const createCompany = (body: Body<typeof contract.createCompany>) =>
  call<typeof contract.createCompany>('POST /clients', { body });

/**
 * Returns company codes for a dropdown, as "CODE (Name)", and whether they are loading. A failure shows a toast and
 * leaves the list empty.
 * @param status '1' for Active companies alone
 */
export function useCompanyCodes(status?: '1', enabled = true) {
  const { data, error, isLoading } = useQuery({
    ...read<typeof contract.listCompanyCodes>(['clients'], 'GET /clients/all', { query: { status } }),
    enabled,
  });
  useEffect(() => {
    if (error !== null) toast.error(describeFailure(error, m.clients_list_failed()));
  }, [error]);
  const codes = (data?.data ?? []).map(({ company_code: code, company_name: name }) => ({
    value: code,
    label: `${code} (${name})`,
  }));
  return { codes, loading: isLoading };
}
