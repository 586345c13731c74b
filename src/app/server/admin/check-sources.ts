import { createSecrets } from '#features/sources/server/configuration/secrets.ts';
import type { SourceEntry } from '#features/sources/server/configuration/source-kind.ts';
import { checkSources } from '#features/sources/server/configuration/sources-file.ts';
import { kinds } from '#features/sources/server/kinds/kinds.ts';
import { ConfigError } from '#server/runtime/config.ts';
import type { CommandOptions } from '../processes/product.ts';

/**
 * Checks SOURCES_FILE with its client certificates, and prints one line per source. Starts and changes nothing.
 * @throws ConfigError with one line per mistake
 */
export async function runSourcesCheck({ config, stop, print }: CommandOptions): Promise<void> {
  const sources = await checkSources(config, kinds, process.env);
  const problems: string[] = [];
  for (const source of sources) {
    const { name, kind, enabled } = source;
    const ends = await findCertificateEnd(source).catch((error: Error) => {
      problems.push(`SOURCES_FILE ${name}.client_cert: ${error.message}`);
      return undefined;
    });
    const certificate = ends ? `, client certificate until ${ends.toISOString()}` : '';
    print(`${enabled ? 'enabled ' : 'disabled'}  ${name} (${kind})${certificate}`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  if (!sources.some(({ enabled }) => enabled)) print('No source is enabled: rows would wait.');
  stop.request('gently');
}

/** Returns when the client certificate of an enabled source ends; undefined without one. */
async function findCertificateEnd({ enabled, findCredentialsEnd }: SourceEntry): Promise<Date | undefined> {
  return enabled ? findCredentialsEnd?.(createSecrets(process.env)) : undefined;
}
