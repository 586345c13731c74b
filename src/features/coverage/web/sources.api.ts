import { queryOptions } from '@tanstack/react-query';
import type {
  listSources,
  pauseSource as pauseSourceCall,
  resumeSource as resumeSourceCall,
  trySource as trySourceCall,
  uploadRegistry as uploadRegistryCall,
} from '#features/coverage/coverage.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { call } from '#web/api-client.ts';
import { upload } from '#web/upload.ts';

const refreshMs = 5000;

export type Trial = Answer<typeof trySourceCall>;
export type RegistryAnswer = Answer<typeof uploadRegistryCall>;

/** Every source and how it does, read again every 5 seconds. */
export const sources = queryOptions({
  queryKey: ['sources'],
  queryFn: ({ signal }) => call<typeof listSources>('GET /sources', {}, signal),
  refetchInterval: refreshMs,
});

export const pauseSource = (name: string) =>
  call<typeof pauseSourceCall>('POST /sources/{name}/pause', { params: { name } });

export const resumeSource = (name: string) =>
  call<typeof resumeSourceCall>('POST /sources/{name}/resume', { params: { name } });

export const trySource = (name: string, serial: string) =>
  call<typeof trySourceCall>('POST /sources/{name}/try', { params: { name }, body: { serial } });

/** Replaces the list of a registry by an Excel sheet. */
export function uploadRegistry(name: string, file: File) {
  const form = new FormData();
  form.set('excel', file);
  return upload<typeof uploadRegistryCall>('POST /sources/{name}/registry', { params: { name }, form });
}
