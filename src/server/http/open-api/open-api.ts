import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { productVersion } from '#server/runtime/version.ts';
import { failure } from '#shared/answers.ts';
import type { Access, Endpoint } from '#shared/endpoint.ts';
import { contentTypes } from '../files/send-file.ts';
import { describeMessages, type Messages, schemaPlace } from './describe-messages.ts';

const description = `Coverage of devices by IMEI or serial number.

Sign in with \`signIn\` and send its token as \`Authorization: Bearer\`. Instants are ISO 8601 in UTC, days \`YYYY-MM-DD\`.
Empty query parameters count as absent. Messages are English, or Indonesian if Accept-Language prefers it.`;

/** The files of Swagger UI. The package's own plugin takes a tenth of every start to load. */
const folder = dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui/static/index.html')));

/** The script that index.html expects beside itself. */
const initializer = `SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: '/api/openapi.json',
  validatorUrl: null,
  deepLinking: true,
  layout: 'StandaloneLayout',
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  plugins: [SwaggerUIBundle.plugins.DownloadUrl],
});
`;

/**
 * Serves `/api/openapi.json` (OpenAPI 3.1, from the schemas of endpoints and messages) and its documentation page
 * `/api/docs`.
 */
export async function registerOpenApi(app: FastifyInstance, messages: Messages): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Coverdesk',
        version: productVersion,
        description,
        license: { name: 'All rights reserved', identifier: 'LicenseRef-Proprietary' },
      },
      servers: [{ url: '/', description: 'The installation that serves this document' }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
      webhooks: describeMessages(messages),
    },
    transform: describeRoute,
    transformObject: describeSchemas,
  });
  await registerDocsPage(app);
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}

/** Serves the documentation page `/api/docs/`. */
async function registerDocsPage(app: FastifyInstance): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    prefix: '/api/docs',
    redirect: true,
    decorateReply: false,
  });
  app.get('/api/docs/swagger-initializer.js', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(initializer),
  );
}

const callers: Record<Access, string> = {
  public: 'Needs no token.',
  'new-user': 'For signed-in users, also before their first password change.',
  'setting-up':
    'For signed-in users, also before they have set up a second factor that their role must have.',
  'signed-in': 'For signed-in users, who see their own company; superadmins see all.',
  superadmin: 'For superadmins.',
  admin: 'For superadmins and company administrators, who see their own company.',
  standard: 'For everybody but superadmins.',
};

type Route = Parameters<typeof jsonSchemaTransform>[0];
type Answers = Record<number, { headers?: Record<string, object> }>;

/** Documents a route by the schemas of its endpoint, including the parts that Fastify does not validate. */
function describeRoute(input: Route): ReturnType<typeof jsonSchemaTransform> {
  const endpoint = input.route.config?.endpoint;
  if (!endpoint || input.schema.hide) return jsonSchemaTransform(input);
  const schema = {
    ...input.schema,
    description: callers[endpoint.access],
    headers: headersOf(endpoint),
    body: endpoint.form ?? endpoint.body,
    response: answersOf(endpoint),
  };
  const described = jsonSchemaTransform({ ...input, schema });
  addAnswerHeaders(described.schema.response as Answers, endpoint);
  return described;
}

const ifNoneMatch = z.string().optional().describe('The ETag of the answer that the caller has');

function headersOf({ headers, tagged }: Endpoint): z.ZodObject | undefined {
  if (!tagged) return headers;
  return z.object({ ...headers?.shape, 'if-none-match': ifNoneMatch });
}

const failureTexts: Record<number, string> = {
  400: 'Invalid input; `details` names each field',
  401: 'Not signed in, wrong credentials, or the session has ended',
  403: 'Not allowed for this user',
  404: 'Not found among the data that the caller may see',
  409: 'In conflict with the present state',
  410: 'No longer kept',
  413: 'Too large',
  415: 'Wrong type of content',
  422: 'The content can be read but not used',
  429: 'Too many calls at once or within a time',
  500: 'Unexpected error, noted in the log',
  503: 'The database does not answer in time',
  507: 'No disk space left',
};

function answersOf(endpoint: Endpoint) {
  const answer = (text: string, content: Record<string, z.ZodType>) => ({
    description: text,
    content: Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }])),
  });
  const failures = failureStatuses(endpoint).map((status) => [
    status,
    answer(failureTexts[status] ?? 'Failed', { 'application/json': failure }),
  ]);
  const success =
    endpoint.status === 302
      ? { 302: z.null().describe('Leads the browser to another address') }
      : { [endpoint.status ?? 200]: answer('Success', contentOf(endpoint)) };
  return {
    ...success,
    ...(endpoint.tagged && { 304: z.null().describe('Unchanged since the answer that If-None-Match names') }),
    ...Object.fromEntries(failures),
  };
}

function contentOf({ response, query, fileKind }: Endpoint): Record<string, z.ZodType> {
  if (response !== 'file') return { 'application/json': response };
  // A workbook may also be JSON, if the call lets its caller choose a format.
  const hasFormats = query && 'format' in query.shape;
  return {
    [contentTypes[fileKind ?? 'excel']]: z.file(),
    ...(hasFormats && { 'application/json': z.unknown() }),
  };
}

function addAnswerHeaders(answers: Answers, { status = 200, tagged }: Endpoint): void {
  const addTo = (statuses: number[], headers: Record<string, object>) => {
    for (const one of statuses) if (answers[one]) answers[one].headers = headers;
  };
  addTo([302], { Location: { type: 'string', description: 'The other address' } });
  if (tagged)
    addTo([status, 304], { ETag: { type: 'string', description: 'Names this state of the answer' } });
  addTo([429, 503], {
    'Retry-After': { type: 'integer', description: 'Seconds to wait before another call' },
  });
}

type Schema = { examples?: unknown[] };
type Document = { paths: object; webhooks: object; components: { schemas: Record<string, Schema> } };

/**
 * Adds the named schemas that the paths and messages refer to. Copies the first example of a schema to each body and response that
 * uses it.
 */
const describeSchemas: typeof jsonSchemaTransformObject = (input) => {
  const document = jsonSchemaTransformObject(input) as Document;
  const all = document.components.schemas;
  const used: Record<string, Schema> = {};
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    const { $ref, schema } = part as { $ref?: string; schema?: { $ref?: string } };
    const name = $ref?.replace(schemaPlace, '');
    if (name && all[name] && !used[name]) {
      used[name] = all[name];
      visit(all[name]);
    }
    const example = all[schema?.$ref?.replace(schemaPlace, '') ?? '']?.examples?.[0];
    if (example !== undefined) Object.assign(part, { example });
    for (const inner of Object.values(part)) visit(inner);
  };
  visit(document.paths);
  visit(document.webhooks);
  return { ...document, components: { ...document.components, schemas: used } } as object;
};

/** Statuses of any call: invalid input, an unexpected error, no database, a full disk. */
const ofEveryCall = [400, 500, 503, 507];
/** Statuses of any call that may have a body: too large, or an unsupported content type. */
const ofBodies = [413, 415];

export function failureStatuses({ route, access, sessionOnly, heavy, failures = [] }: Endpoint): number[] {
  return [
    ...ofEveryCall,
    ...(access === 'public' ? [] : [401]),
    // A due password change or second factor, a wrong role, or an API token.
    ...(access === 'public' || (access === 'new-user' && !sessionOnly) ? [] : [403]),
    ...(route.startsWith('GET ') ? [] : ofBodies),
    ...(heavy ? [429] : []),
    ...failures,
  ];
}
