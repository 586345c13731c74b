import type { FastifyInstance } from 'fastify';
import { registerAccounts } from '#features/accounts/server/accounts.routes.ts';
import { createAuthenticate } from '#features/accounts/server/sign-in/authenticate.service.ts';
import { registerAudit } from '#features/audit/server/audit.routes.ts';
import { registerClients } from '#features/clients/server/clients.routes.ts';
import { registerDevices } from '#features/devices/server/devices.routes.ts';
import { registerViews } from '#features/devices/server/views/views.routes.ts';
import { registerHome } from '#features/home/server/home.routes.ts';
import { registerImports } from '#features/imports/server/imports.routes.ts';
import { registerTrySource } from '#features/lookups/server/try-source.routes.ts';
import { registerOperations } from '#features/operations/server/operations.routes.ts';
import { registerProxies } from '#features/proxies/server/proxies.routes.ts';
import { registerRechecks } from '#features/rechecks/server/rechecks.routes.ts';
import { registerResults } from '#features/results/server/results.routes.ts';
import { registerSearch } from '#features/search/server/search.routes.ts';
import type { ConfiguredSource } from '#features/sources/server/configuration/sources-file.ts';
import { registerSources } from '#features/sources/server/sources.routes.ts';
import { registerStatements } from '#features/statements/server/statements.routes.ts';
import { finishRowDeletions } from '#features/tickets/server/row-deletions/finish-row-deletions.ts';
import { registerTicketMetrics } from '#features/tickets/server/ticket-metrics.ts';
import { registerTickets } from '#features/tickets/server/tickets.routes.ts';
import { registerWatch } from '#features/watch/server/watch.routes.ts';
import { registerWebhooks } from '#features/webhooks/server/webhooks.routes.ts';
import type { Context } from '#server/runtime/context.ts';

/** Registers every feature's endpoints and its other work in the API process. */
export function registerFeatures(app: FastifyInstance, context: Context, sources: ConfiguredSource[]): void {
  app.decorate('authenticate', createAuthenticate(context));
  registerAccounts(app, context);
  registerClients(app, context);
  registerTickets(app, context);
  registerTicketMetrics(app.metrics, context.db);
  finishRowDeletions(app, context);
  const imports = registerImports(app, context);
  registerResults(app, context);
  registerDevices(app, context);
  registerViews(app, context);
  registerWatch(app, context);
  registerWebhooks(app, context);
  registerRechecks(app, context, imports);
  registerSearch(app);
  registerProxies(app, context);
  registerHome(app, context);
  registerStatements(app, context);
  registerAudit(app, context);
  registerSources(app, context, sources);
  registerTrySource(app, context, sources);
  registerOperations(app, context);
}
