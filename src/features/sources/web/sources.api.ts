import { queryOptions } from '@tanstack/react-query';
import type * as contract from '#features/sources/sources.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { call } from '#web/client/api-client.ts';
import { upload } from '#web/client/upload.ts';

const refreshMs = 5000;

export type Trial = Answer<typeof contract.trySource>;
export type RegistryAnswer = Answer<typeof contract.uploadRegistry>;

/** Every source and how it does, read again every 5 seconds. */
export const sources = queryOptions({
  queryKey: ['sources'],
  queryFn: ({ signal }) => call<typeof contract.listSources>('GET /sources', {}, signal),
  refetchInterval: refreshMs,
});

export const pauseSource = (name: string) =>
  call<typeof contract.pauseSource>('POST /sources/{name}/pause', { params: { name } });

export const resumeSource = (name: string) =>
  call<typeof contract.resumeSource>('POST /sources/{name}/resume', { params: { name } });

export const trySource = (name: string, serial: string) =>
  call<typeof contract.trySource>('POST /sources/{name}/try', { params: { name }, body: { serial } });

/** Replaces the list of a registry by an Excel sheet. */
export function uploadRegistry(name: string, file: File) {
  const form = new FormData();
  form.set('excel', file);
  return upload<typeof contract.uploadRegistry>('POST /sources/{name}/registry', { params: { name }, form });
}
