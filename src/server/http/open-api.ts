import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';

/** Serves `/api/openapi.json` (OpenAPI 3.1, from the schemas that validate) and `/api/docs`, which shows it. */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Coverdesk', description: 'Coverage of devices by IMEI or serial number', version: '1' },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    transform: describeRoute,
  });
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    uiConfig: { validatorUrl: null },
  });
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}

function describeStatus(status: string, success: number): string {
  if (status === '304') return 'Nothing changed since the answer with the ETag of If-None-Match';
  return status === String(success) ? 'Success' : 'Refused or failed';
}

/** Documents a route by its schemas, and by its endpoint what no schema validates: files in and out. */
function describeRoute(input: Parameters<typeof jsonSchemaTransform>[0]) {
  const { schema, url } = jsonSchemaTransform(input);
  const endpoint = input.route.config?.endpoint;
  if (!endpoint || schema.hide) return { schema, url };
  const success = endpoint.status ?? 200;
  const answers: Record<string, object> = { ...(schema.response as object) };
  if (endpoint.response === 'file') {
    answers[success] = {
      description: 'The file',
      content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
    };
  }
  if (endpoint.tagged) answers[304] = { type: 'null' };
  const response = Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [
      status,
      { description: describeStatus(status, success), ...answer },
    ]),
  );
  if (!endpoint.file) return { schema: { ...schema, response }, url };
  const body = {
    type: 'object',
    properties: { [endpoint.file]: { type: 'string', format: 'binary' } },
    required: [endpoint.file],
    additionalProperties: { type: 'string' },
  };
  return { schema: { ...schema, response, body }, url };
}
