import { mkdir, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { dirname } from 'node:path';

// openapi-typescript writes types by the interface of the compiler, which TypeScript 7 does not have.
registerHooks({
  resolve: (name, context, next) => next(name === 'typescript' ? 'typescript-5' : name, context),
});
const { astToString, default: openapiTypes } = await import('openapi-typescript');

/** Writes the types of an API to a file, from its description in JSON. */
export async function generateTypes(description: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, astToString(await openapiTypes(description)));
}
