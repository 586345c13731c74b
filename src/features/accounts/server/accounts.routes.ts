import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { route } from '#server/http/route.ts';
import { openBackgroundMailer } from '#server/mail/background-mailer.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import * as contract from '../accounts.contract.ts';
import { createUser, describeUser } from './accounts.service.ts';
import { registerInvitations } from './invitations/invitations.routes.ts';
import { changePassword } from './passwords/change-password.service.ts';
import { mailResetLink, resetPassword, verifyResetToken } from './passwords/password-resets.service.ts';
import { registerSecondFactor } from './second-factor/second-factor.routes.ts';
import { signIn } from './sign-in/sign-in.service.ts';
import { registerSingleSignOn } from './single-sign-on/single-sign-on.routes.ts';
import { registerTokens } from './tokens/tokens.routes.ts';
import { registerUsers } from './users/users.routes.ts';

/** Milliseconds until every answer to forgot-password, so that its time does not show whether the account exists. */
const forgotPasswordMs = 300;

/** Serves sign-in, registration, passwords, invitations and the management of users. */
export function registerAccounts(app: FastifyInstance, context: Context): void {
  const mailer = openBackgroundMailer(app, context);
  registerUsers(app, context, mailer);
  registerInvitations(app, context, mailer);
  registerTokens(app, context, mailer);
  registerSecondFactor(app, context);
  registerSingleSignOn(app, context);

  route(app, contract, 'signIn', ({ body, request }) => signIn(context, body, request.ip));
  route(app, contract, 'createUser', async ({ body, caller, locale }) => {
    const { superadmin, company_code: companyCode, ...rest } = body;
    const order = { ...rest, superadmin: superadmin === '1', newUser: true, companyCode };
    const user = await createUser(context.db, order, caller);
    return { message: m.server_user_registered({ name: body.name }, { locale }), user: describeUser(user) };
  });
  route(app, contract, 'forgotPassword', async ({ body, locale }) => {
    mailer.run('a reset link', (send) => mailResetLink(context, send, body.email));
    await delay(forgotPasswordMs);
    return { message: m.server_reset_mail_promised({}, { locale }) };
  });
  route(app, contract, 'verifyResetToken', async ({ params }) => ({
    valid: await verifyResetToken(context, params.token),
  }));
  route(app, contract, 'resetPassword', async ({ body, locale }) => {
    await resetPassword(context, body.token, body.newPassword);
    return { message: m.server_password_reset({}, { locale }) };
  });
  route(app, contract, 'changePassword', async ({ body, caller, locale }) => {
    const token = await changePassword(context, caller, body);
    return { message: m.server_password_changed({}, { locale }), token };
  });
}
