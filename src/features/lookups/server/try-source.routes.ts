import type { FastifyInstance } from 'fastify';
import { createOpenSources } from '#features/sources/server/configuration/open-sources.ts';
import { createSecrets } from '#features/sources/server/configuration/secrets.ts';
import type { ConfiguredSource } from '#features/sources/server/configuration/sources-file.ts';
import * as contract from '#features/sources/sources.contract.ts';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import { trySource } from './try-source.service.ts';

export function registerTrySource(app: FastifyInstance, context: Context, sources: ConfiguredSource[]): void {
  const { config, db, log } = context;
  const secrets = createSecrets(process.env);
  const opened = createOpenSources({ secrets, timezone: config.APP_TIMEZONE, db, log });
  app.addHook('onClose', () => opened.close());

  route(app, contract, 'trySource', async ({ params, body, locale }) => {
    const { problems, ...trial } = await trySource(context, sources, opened, params.name, body.serial);
    return {
      ...trial,
      problems: problems.map(({ path, reason }) => ({ path, reason: reason({}, { locale }) })),
    };
  });
}
