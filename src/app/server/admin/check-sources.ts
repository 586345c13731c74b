import { createSecrets } from '#features/sources/server/configuration/secrets.ts';
import type { SourceEntry } from '#features/sources/server/configuration/source-kind.ts';
import { checkSources } from '#features/sources/server/configuration/sources-file.ts';
import { kinds } from '#features/sources/server/kinds/kinds.ts';
import { ConfigError } from '#server/runtime/config.ts';
import type { CommandOptions } from '../processes/command-options.ts';

/**
 * Checks SOURCES_FILE with the files that it names, and prints one line per source. Starts and changes nothing.
 * @throws ConfigError with one line per mistake
 */
export async function runSourcesCheck({ config, stop, print }: CommandOptions): Promise<void> {
  const sources = await checkSources(config, kinds, process.env);
  const problems: string[] = [];
  for (const source of sources) {
    const { name, kind, enabled } = source;
    const ends = await checkFiles(source).catch((error: Error) => {
      problems.push(error.message);
      return undefined;
    });
    const certificate = ends ? `, client certificate until ${ends.toISOString()}` : '';
    print(`${enabled ? 'enabled ' : 'disabled'}  ${name} (${kind})${certificate}`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  if (!sources.some(({ enabled }) => enabled)) print('No source is enabled: rows would wait.');
  stop.request('gently');
}

/** Checks the files of an enabled source. @returns when its client certificate ends; undefined without one */
async function checkFiles({ enabled, ...source }: SourceEntry): Promise<Date | undefined> {
  if (!enabled) return undefined;
  const secrets = createSecrets(process.env);
  await source.requireFiles(secrets);
  return source.findCredentialsEnd?.(secrets);
}
