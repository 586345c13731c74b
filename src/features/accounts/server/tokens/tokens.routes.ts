import type { FastifyInstance } from 'fastify';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import * as contract from '../../tokens.contract.ts';
import { createToken, deleteToken, listTokens } from './tokens.service.ts';

export function registerTokens(app: FastifyInstance, context: Context): void {
  route(app, contract.listTokens, ({ query, caller }) => listTokens(context.db, caller, query));
  route(app, contract.createToken, ({ body, caller }) => createToken(context, caller, body));
  route(app, contract.deleteToken, async ({ params, caller, locale }) => {
    await deleteToken(context.db, caller, params.id);
    return { message: m.server_token_revoked({}, { locale }) };
  });
}
