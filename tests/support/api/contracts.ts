import { glob } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Endpoint, splitRoute } from '#shared/endpoint.ts';

const features = fileURLToPath(new URL('../../../src/features', import.meta.url));

type Contract = Endpoint & ReturnType<typeof splitRoute> & { name: string };

/** Returns every call that a feature's contract declares, with the name of its constant. */
export async function readContracts(): Promise<Contract[]> {
  const endpoints: Contract[] = [];
  for await (const path of glob('*/*.contract.ts', { cwd: features })) {
    const module: Record<string, unknown> = await import(`${features}/${path}`);
    for (const [name, value] of Object.entries(module)) {
      if (isEndpoint(value)) endpoints.push({ name, ...value, ...splitRoute(value) });
    }
  }
  return endpoints;
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'route' in value && 'access' in value;
}
