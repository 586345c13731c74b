import type { Socket } from 'node:net';
import type { Failure } from '#shared/answers.ts';
import { m } from '#shared/texts/messages.js';
import { bareAnswerHeaders } from '../answer-headers.ts';
import { nodeHttp } from '../node-http.ts';

/** Responses by the code of Node's parser. All other codes mean malformed HTTP. */
const responses = new Map<
  string | undefined,
  { status: number; code: string; text: typeof m.server_malformed }
>([
  ['ERR_HTTP_REQUEST_TIMEOUT', { status: 408, code: 'timeout', text: m.server_malformed }],
  ['HPE_HEADER_OVERFLOW', { status: 431, code: 'too_large', text: m.server_too_large }],
]);
const noHttp = { status: 400, code: 'malformed', text: m.server_malformed };

/** Answers a request that Node cannot parse, without routes and hooks, and closes the connection. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const { status, code, text } = responses.get(error.code) ?? noHttp;
  const message = text({}, { locale: 'en' });
  const body = JSON.stringify({ message, error: message, code } satisfies Failure);
  const headers = {
    ...bareAnswerHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  if (socket.writable) {
    socket.write([`HTTP/1.1 ${status} ${nodeHttp.STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
  }
  socket.destroy(error);
}
