import type { FastifyInstance } from 'fastify';
import { createOpenSources } from '#features/sources/server/configuration/open-sources.ts';
import { createSecrets } from '#features/sources/server/configuration/secrets.ts';
import { loadSources } from '#features/sources/server/configuration/sources-file.ts';
import { kinds } from '#features/sources/server/kinds/kinds.ts';
import { trySource as contract } from '#features/sources/sources.contract.ts';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import { trySource } from './try-source.service.ts';

/**
 * Serves the try of a source with one serial.
 * @throws ConfigError for a mistake in SOURCES_FILE
 */
export async function registerTrySource(app: FastifyInstance, context: Context): Promise<void> {
  const { config, db, log } = context;
  const env = process.env;
  const sources = await loadSources(config, kinds, env);
  const opened = createOpenSources({ secrets: createSecrets(env), timezone: config.APP_TIMEZONE, db, log });
  app.addHook('onClose', () => opened.close());

  route(app, contract, async ({ params, body, locale }) => {
    const { problems, ...trial } = await trySource(context, sources, opened, params.name, body.serial);
    return { ...trial, problems: problems.map(({ path, reason }) => ({ path, reason: reason(locale) })) };
  });
}
