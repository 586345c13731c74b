import type { FastifyInstance } from 'fastify';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import * as contract from '../../single-sign-on.contract.ts';
import { endFlowCookie, readFlowCookie, writeFlowCookie } from './flow-cookie.ts';
import { findOidcSettings } from './oidc-settings.ts';
import {
  finishSingleSignOn,
  redeemCode,
  requireOidcSettings,
  startSingleSignOn,
} from './single-sign-on.service.ts';

/** Serves single sign-on. The browser follows its first two calls itself; failures lead to the sign-in screen. */
export function registerSingleSignOn(app: FastifyInstance, context: Context): void {
  const { publicUrl } = context;
  const secure = publicUrl.startsWith('https:');
  const signInPage = (parameter: string, value: string) =>
    `${publicUrl}/login?${new URLSearchParams({ [parameter]: value })}`;

  route(app, contract, 'readSignInOptions', async () => ({
    single_sign_on: findOidcSettings(context.config) !== undefined,
  }));
  route(app, contract, 'startSingleSignOn', async ({ reply }) => {
    const begun = await startSingleSignOn(context, requireOidcSettings(context));
    if (begun === 'unavailable') return reply.redirect(signInPage('sso', begun));
    return reply
      .header('set-cookie', writeFlowCookie(begun.flow, context.now(), secure))
      .redirect(begun.url.href);
  });
  route(app, contract, 'finishSingleSignOn', async ({ request, reply }) => {
    const settings = requireOidcSettings(context);
    const flow = readFlowCookie(request.headers.cookie, context.now(), secure);
    const search = /\?.*/s.exec(request.url)?.[0] ?? '';
    const outcome = await finishSingleSignOn(context, settings, search, flow);
    return reply
      .header('set-cookie', endFlowCookie(secure))
      .redirect(typeof outcome === 'string' ? signInPage('sso', outcome) : signInPage('code', outcome.code));
  });
  route(app, contract, 'redeemSingleSignOn', async ({ body, request }) => ({
    token: await redeemCode(context, body.code, request.ip),
  }));
}
