import type { FastifyInstance } from 'fastify';
import { route } from '#server/http/route.ts';
import type { BackgroundMailer } from '#server/mail/background-mailer.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import * as contract from '../../tokens.contract.ts';
import { requireUserInScope } from '../users/users.service.ts';
import { createToken, deleteToken, deleteUserToken, listTokens } from './tokens.service.ts';

export function registerTokens(app: FastifyInstance, context: Context, mailer: BackgroundMailer): void {
  const { db } = context;
  route(app, contract, 'listTokens', ({ query, caller }) => listTokens(db, caller.id, query));
  route(app, contract, 'createToken', async ({ body, caller }) => {
    const { created, mail } = await createToken(context, caller, body);
    mailer.run('a notice of a new API token', (send) => send(mail));
    return created;
  });
  route(app, contract, 'deleteToken', async ({ params, caller, locale }) => {
    await deleteToken(db, caller, params.id);
    return { message: m.server_token_revoked({}, { locale }) };
  });
  route(app, contract, 'listUserTokens', async ({ params, query, caller }) => {
    const user = await requireUserInScope(db, caller, params.id);
    return listTokens(db, user.id, query);
  });
  route(app, contract, 'deleteUserToken', async ({ params, caller, locale }) => {
    await deleteUserToken(db, caller, params.id, params.token_id);
    return { message: m.server_token_revoked({}, { locale }) };
  });
}
