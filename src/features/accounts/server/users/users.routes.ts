import type { FastifyInstance } from 'fastify';
import { route } from '#server/http/route.ts';
import type { BackgroundMailer } from '#server/mail/background-mailer.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import * as contract from '../../users.contract.ts';
import { resetSecondFactor } from '../second-factor/reset-second-factor.service.ts';
import { updateUser } from './update-user.service.ts';
import { createUserReset, listUsers, signOutUser } from './users.service.ts';

export function registerUsers(app: FastifyInstance, context: Context, mailer: BackgroundMailer): void {
  route(app, contract, 'listUsers', ({ query, caller }) => listUsers(context.db, caller, query));
  route(app, contract, 'updateUser', async ({ params, body, caller, locale }) => {
    const user = await updateUser(context, caller, params.id, body);
    return { message: m.server_user_updated({}, { locale }), user };
  });
  route(app, contract, 'signOutUser', async ({ params, caller, locale }) => {
    await signOutUser(context, caller, params.id);
    return { message: m.server_user_signed_out({}, { locale }) };
  });
  route(app, contract, 'resetUserSecondFactor', async ({ params, caller, locale }) => {
    await resetSecondFactor(context, caller, params.id);
    return { message: m.server_second_factor_removed({}, { locale }) };
  });
  route(app, contract, 'sendUserReset', async ({ params, caller, locale }) => {
    const mail = await createUserReset(context, caller, params.id);
    mailer.run('a reset link', (send) => send(mail));
    return { message: m.server_user_link_sent({}, { locale }) };
  });
}
