import { useQuery } from '@tanstack/react-query';
import type { getFields, OwnField } from '#features/devices/fields.contract.ts';
import { read } from '#web/client/read.ts';

export type { FieldValues, OwnField } from '#features/devices/fields.contract.ts';

export const fieldsQuery = (company_code: string) =>
  read<typeof getFields>(['fields'], 'GET /fields/{company_code}', { params: { company_code } });

/** Reads the own columns of a company; nothing without one. */
export const useFieldsRead = (companyCode: string | null | undefined) =>
  useQuery({ ...fieldsQuery(companyCode ?? ''), enabled: Boolean(companyCode) });

const none: readonly OwnField[] = [];

/** Returns the own columns of a company; none until they are read, and without a company. */
export function useFields(companyCode: string | null | undefined): readonly OwnField[] {
  return useFieldsRead(companyCode).data?.fields ?? none;
}
