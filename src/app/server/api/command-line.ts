import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { answerConditionally } from '#server/http/etag.ts';
import { route } from '#server/http/route.ts';
import { productVersion } from '#server/runtime/version.ts';
import { endpoint } from '#shared/endpoint.ts';

/** The folder stays where it is when the server is built. */
const folder = new URL('../../cli/', import.meta.url);

const getCommandLine = endpoint({
  route: 'GET /cli/coverdesk.mjs',
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
  route(app, { getCommandLine }, 'getCommandLine', ({ reply }) => send(reply));
  const options = {
    schema: { hide: true },
    config: { endpoint: getCommandLine },
    onSend: answerConditionally,
  };
  app.get('/cli/coverdesk.mjs', options, (_request, reply) => send(reply));
}

const relativeImport = /^import \{[^}]*\} from '(\.[^']+)';\n/gm;
const builtinImport = /^import \{ ([^}]+) \} from '(node:[^']+)';\n/gm;

/**
 * Joins a module and those that it imports into the text of one, in which each stands where it is first imported. No two of
 * them may have the same name at their top level.
 */
function joinModules(entry: URL): Promise<string> {
  return join(entry, new Set());
}

/** @param joined the modules, and the names of Node's modules, that the text has already */
async function join(file: URL, joined: Set<string>): Promise<string> {
  if (joined.has(file.href)) return '';
  joined.add(file.href);
  const source = await readFile(file, 'utf8');
  // Every second part is the address of an imported module.
  const parts = source.split(relativeImport);
  let text = '';
  for (const [place, part] of parts.entries()) {
    text += place % 2 === 0 ? withoutRepeats(part, joined) : await join(new URL(part, file), joined);
  }
  return text;
}

const withoutRepeats = (text: string, joined: Set<string>): string =>
  text
    .replaceAll(builtinImport, (_, names: string, module: string) => {
      const missing = names.split(', ').filter((name) => !joined.has(`${name} ${module}`));
      for (const name of missing) joined.add(`${name} ${module}`);
      return missing.length === 0 ? '' : `import { ${missing.join(', ')} } from '${module}';\n`;
    })
    .replaceAll(/^export (?=async |function |const |class )/gm, '');
