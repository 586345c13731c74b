import type { FastifyInstance } from 'fastify';
import { route } from '#server/http/route.ts';
import type { BackgroundMailer } from '#server/mail/background-mailer.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import * as contract from '../../invitations.contract.ts';
import { acceptInvitation, verifyInvitation } from './accept-invitation.service.ts';
import { createInvitation, deleteInvitation, listInvitations, renewLink } from './invitations.service.ts';

/** Serves invitations: sending, listing and withdrawing them, and the page behind their links. */
export function registerInvitations(app: FastifyInstance, context: Context, mailer: BackgroundMailer): void {
  route(app, contract, 'createInvitation', async ({ body, caller, locale }) => {
    const { invitation, mail } = await createInvitation(context, caller, body);
    mailer.run('an invitation', (send) => send(mail));
    return { message: m.server_invitation_sent({}, { locale }), invitation };
  });
  route(app, contract, 'listInvitations', ({ query, caller }) => listInvitations(context.db, caller, query));
  route(app, contract, 'sendInvitation', async ({ params, caller, locale }) => {
    const mail = await renewLink(context, caller, params.id);
    mailer.run('an invitation', (send) => send(mail));
    return { message: m.server_invitation_sent({}, { locale }) };
  });
  route(app, contract, 'deleteInvitation', async ({ params, caller, locale }) => {
    await deleteInvitation(context.db, caller, params.id);
    return { message: m.server_invitation_withdrawn({}, { locale }) };
  });
  route(app, contract, 'verifyInvitation', ({ params }) => verifyInvitation(context, params.token));
  route(app, contract, 'acceptInvitation', async ({ body, locale }) => {
    const email = await acceptInvitation(context, body);
    return { message: m.server_invitation_accepted({}, { locale }), email };
  });
}
