import type { FastifyInstance } from 'fastify';
import * as contract from '#features/sources/sources.contract.ts';
import { AppError } from '#server/http/errors/errors.ts';
import { route } from '#server/http/route.ts';
import { abortOnClose } from '#server/runtime/abort-on-close.ts';
import type { Context } from '#server/runtime/context.ts';
import { saveUpload } from '#server/uploads/save-upload.ts';
import { m } from '#shared/texts/messages.js';
import type { ConfiguredSource } from './configuration/sources-file.ts';
import { registerCallMetrics } from './figures/call-metrics.ts';
import { describeProcesses } from './shared-settings.service.ts';
import { getSource, listSources, requireSource, setPaused } from './sources.service.ts';

export function registerSources(app: FastifyInstance, context: Context, sources: ConfiguredSource[]): void {
  registerCallMetrics(app.metrics, app.metricsDb);
  route(app, contract, 'listSources', async () => ({
    data: await listSources(context, sources),
    processes: await describeProcesses(context),
  }));
  route(app, contract, 'pauseSource', async ({ params, caller }) => {
    await setPaused(context, caller, sources, params.name, true);
    return { source: await getSource(context, sources, params.name) };
  });
  route(app, contract, 'resumeSource', async ({ params, caller }) => {
    await setPaused(context, caller, sources, params.name, false);
    return { source: await getSource(context, sources, params.name) };
  });
  route(app, contract, 'uploadRegistry', async ({ params, caller, request, reply, locale }) => {
    const entry = requireSource(sources, params.name);
    const { registry } = entry;
    if (!registry) {
      throw new AppError(409, 'not_a_registry', m.server_registry_wrong_kind);
    }
    const signal = abortOnClose(reply);
    const { path, remove } = await saveUpload(request, contract.uploadRegistry.file, context.config);
    try {
      const { imported, rejectedCount, rejected } = await registry.replace(
        context,
        caller,
        entry,
        path,
        signal,
      );
      return {
        message: m.server_registry_imported({ devices: imported }, { locale }),
        imported_count: imported,
        rejected_count: rejectedCount,
        rejected: rejected.map(({ row, reason }) => ({ row, reason: reason({}, { locale }) })),
        source: await getSource(context, sources, params.name),
      };
    } catch (error) {
      if (!signal.aborted) throw error;
      return reply.hijack();
    } finally {
      await remove();
    }
  });
}
