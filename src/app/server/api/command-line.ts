import type { FastifyInstance, FastifyReply } from 'fastify';
import { answerConditionally } from '#server/http/etag.ts';
import { route } from '#server/http/route.ts';
import { productVersion } from '#server/runtime/version.ts';
import { endpoint } from '#shared/endpoint.ts';
import { joinModules } from './join-modules.ts';

/** The folder stays where it is when the server is built. */
const folder = new URL('../../cli/', import.meta.url);

const getCommandLine = endpoint({
  name: 'getCommandLine',
  method: 'GET',
  path: '/cli/coverdesk.mjs',
  access: 'public',
  summary: 'Download the command line of this version: one file for Node 20 or newer',
  tagged: true,
  response: 'file',
});

/** Serves the command line with the product's version, as a call of the API and at the address that people type. */
export async function registerCommandLine(app: FastifyInstance): Promise<void> {
  const text = await joinModules(new URL('coverdesk.mjs', folder));
  const file = text.replace("const version = '0.0.0'", `const version = '${productVersion}'`);
  const send = async (reply: FastifyReply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(file);
  route(app, getCommandLine, ({ reply }) => send(reply));
  const options = {
    schema: { hide: true },
    config: { endpoint: getCommandLine },
    onSend: answerConditionally,
  };
  app.get('/cli/coverdesk.mjs', options, (_request, reply) => send(reply));
}
