import type { LightMyRequestResponse } from 'fastify';
import { Agent, request } from 'undici';
import { bodyOf, type Send } from './request-body.ts';

/** Sends one request, as `GET /api/clients?page=2`. */
export type SendRequest = (call: string, send?: Send) => Promise<LightMyRequestResponse>;

/** Sends requests to an address as `TestApi.send` does to an API in this process. */
export function sendTo({ url, ca }: { url: string; ca: string }): {
  send: SendRequest;
  close(): Promise<void>;
} {
  const agent = new Agent({ connect: { ca }, allowH2: false, headersTimeout: 0, bodyTimeout: 0 });
  return {
    async send(call, send = {}) {
      const [method, path] = call.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string];
      const { headers, payload } = bodyOf(send);
      const isJson = typeof payload === 'object' && !Buffer.isBuffer(payload);
      const answer = await request(new URL(path, url), {
        dispatcher: agent,
        method,
        headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
        ...(payload !== undefined && { body: isJson ? JSON.stringify(payload) : payload }),
      });
      const rawPayload = Buffer.from(await answer.body.arrayBuffer());
      const body = rawPayload.toString();
      const { statusCode, headers: answered } = answer;
      // The parts that tests read.
      const read = { statusCode, headers: answered, rawPayload, body, payload: body };
      return { ...read, json: () => JSON.parse(body) } as LightMyRequestResponse;
    },
    close: () => agent.close(),
  };
}
