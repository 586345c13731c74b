import querystring from 'node:querystring';
import multipart from '@fastify/multipart';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { ConfiguredSource } from '#features/sources/server/configuration/sources-file.ts';
import { webhookMessages } from '#features/webhooks/webhook-messages.contract.ts';
import { registerAnswerHeaders, setAnswerHeaders } from '#server/http/answer-headers.ts';
import { registerCloseOfConnections } from '#server/http/close-connections.ts';
import { registerDrain } from '#server/http/drain.ts';
import { answerError } from '#server/http/errors/error-answer.ts';
import { AppError } from '#server/http/errors/errors.ts';
import { answerUnreadable } from '#server/http/errors/unreadable-request.ts';
import { registerWeb } from '#server/http/files/web-files.ts';
import { warnOfUntrustedProxy } from '#server/http/forwarded.ts';
import { registerHeavyReads } from '#server/http/heavy-reads.ts';
import { registerJsonBodies } from '#server/http/json-body.ts';
import { nodeHttp } from '#server/http/node-http.ts';
import { registerOpenApi } from '#server/http/open-api/open-api.ts';
import { registerRequestSpans } from '#server/http/request-spans.ts';
import { registerStalledReaders, stalledReaderMs } from '#server/http/stalled-readers.ts';
import { registerHealth } from '#server/monitoring/health.ts';
import { registerMetrics } from '#server/monitoring/metrics.ts';
import type { Context } from '#server/runtime/context.ts';
import { defaultBodyPace, registerBodyPace, requestTimeoutMs } from '#server/uploads/body-pace.ts';
import { publicBodyBytes } from '#server/uploads/hold-large-body.ts';
import { UploadRoom } from '#server/uploads/upload-room.ts';
import { m } from '#shared/texts/messages.js';
import { registerCommandLine } from './command-line.ts';
import { registerFeatures } from './features.ts';

/** Builds the HTTP server with the API and the web app. It does not listen yet. */
export async function buildApi(context: Context, sources: ConfiguredSource[]): Promise<FastifyInstance> {
  const { config } = context;
  const app = Fastify({
    loggerInstance: context.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.TRUST_PROXY ?? false,
    // `route` allows more to a caller with a session.
    bodyLimit: publicBodyBytes,
    frameworkErrors: (error, request, reply) => void answerError(error, request, setAnswerHeaders(reply)),
    clientErrorHandler: answerUnreadable,
    forceCloseConnections: 'idle',
    // A request that was accepted is answered.
    return503OnClosing: false,
    requestTimeout: requestTimeoutMs,
    // Unlimited within Node's limit for the request head, because each endpoint limits its own parameters.
    routerOptions: { maxParamLength: nodeHttp.maxHeaderSize },
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.decorateRequest('caller', undefined);
  app.decorateRequest('beforeBody', undefined);
  app.decorate('uploadRoom', new UploadRoom(config));
  app.decorate('db', context.db);
  registerHeavyReads(app, context);
  registerCloseOfConnections(app);
  registerDrain(app);
  registerBodyPace(app, defaultBodyPace);
  registerStalledReaders(app, stalledReaderMs);
  registerRequestSpans(app);
  registerJsonBodies(app);
  app.setErrorHandler(answerError);
  warnOfUntrustedProxy(app, config);
  registerMetrics(app, context);
  app.addHook('onResponse', async (request, reply) => {
    const { statusCode: status, elapsedTime } = reply;
    request.log.info({ ...describeCall(request), status, ms: Math.round(elapsedTime) }, 'answered');
  });
  // The hook above does not run for aborted requests, such as downloads that are cancelled or too slow.
  app.addHook('onRequestAbort', async (request) => {
    request.log.info(describeCall(request), 'the connection ended before the response was complete');
  });

  await registerAnswerHeaders(app, context.publicUrl.startsWith('https:'));
  await app.register(multipart, {
    limits: { files: 1, fields: 10, fileSize: config.MAX_UPLOAD_MB * 1024 * 1024 },
  });
  // Forms are not subject to `bodyLimit`.
  app.addHook('preValidation', async (request) => {
    const { endpoint } = request.routeOptions.config;
    if (endpoint && !endpoint.file && request.isMultipart())
      throw new AppError(415, 'unsupported_media_type', m.server_unsupported_media_type);
  });
  await registerOpenApi(app, webhookMessages);
  registerHealth(app, context);
  registerFeatures(app, context, sources);
  await registerCommandLine(app);
  for (const unknown of ['/api', '/api/*']) {
    app.all(unknown, { schema: { hide: true } }, async () => {
      throw new AppError(404, 'not_found', m.server_not_found);
    });
  }
  await registerWeb(app);
  return app;
}

function describeCall(request: FastifyRequest) {
  const { method, url, caller, ip } = request;
  return { method, url: loggedPath(url), user: caller?.id, address: ip };
}

/** The names in front of secrets in a path. */
const secretAfter =
  'reset-password|verify-reset-token|invitation|verify-invitation|calendar|(?:un)?subscribe';

/**
 * Returns the path of a request without secrets: no query, no token of a link, and no secret of a calendar. It is
 * decoded and compared without case, as routes and the web app's addresses are.
 */
function loggedPath(url: string): string {
  const path = querystring.unescape(url.split('?')[0] ?? '');
  return path.replace(new RegExp(`(/(?:${secretAfter})/).+`, 'is'), '$1[secret]');
}
