import { glob } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Endpoint } from '#shared/endpoint.ts';

const features = fileURLToPath(new URL('../../src/features', import.meta.url));

/** Every call that a feature's contract declares. */
export async function readContracts(): Promise<Endpoint[]> {
  const endpoints: Endpoint[] = [];
  for await (const path of glob('*/*.contract.ts', { cwd: features })) {
    const module: Record<string, unknown> = await import(`${features}/${path}`);
    endpoints.push(...Object.values(module).filter(isEndpoint));
  }
  return endpoints;
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'access' in value;
}
