import { useQuery } from '@tanstack/react-query';
import type * as contract from '#features/clients/clients.contract.ts';
import type { Answer, Body } from '#shared/endpoint.ts';
import { call } from '#web/client/api-client.ts';
import { useSendOnce } from '#web/client/idempotency-key.ts';
import { read } from '#web/client/read.ts';

export type Company = Answer<typeof contract.listCompanies>['data'][number];

/** The company of the signed-in user; standard users alone may ask. */
export const ownCompanyQuery = read<typeof contract.getOwnCompany>(['clients'], 'GET /clients/own', {});

/** Returns a function that creates a client. Its repeat after a lost answer creates no second one. */
export function useCreateCompany() {
  const sendOnce = useSendOnce();
  return (body: Body<typeof contract.createCompany>) =>
    sendOnce(body, (idempotencyKey) =>
      call<typeof contract.createCompany>('POST /clients', { body, idempotencyKey }),
    );
}

/**
 * Returns company codes for a dropdown, as "CODE (Name)", whether they are loading, and the error if they cannot be read.
 * @param status '1' for Active companies alone
 */
export function useCompanyCodes(status?: '1', enabled = true) {
  const { data, error, isLoading, refetch } = useQuery({
    ...read<typeof contract.listCompanyCodes>(['clients'], 'GET /clients/all', { query: { status } }),
    enabled,
  });
  const codes = (data?.data ?? []).map(({ company_code: code, company_name: name }) => ({
    value: code,
    label: `${code} (${name})`,
  }));
  return { codes, loading: isLoading, error, retry: () => void refetch() };
}
