import type { FastifyInstance } from 'fastify';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import * as contract from '../../second-factor.contract.ts';
import { answerChallenge } from './challenges.service.ts';
import {
  confirmSecondFactor,
  deleteSecondFactor,
  readSecondFactor,
  startSecondFactor,
} from './second-factor.service.ts';

/** Serves the second factor of the caller, and the second step of a sign-in. */
export function registerSecondFactor(app: FastifyInstance, context: Context): void {
  route(app, contract, 'readSecondFactor', ({ caller }) => readSecondFactor(context, caller));
  route(app, contract, 'startSecondFactor', ({ caller }) => startSecondFactor(context, caller));
  route(app, contract, 'confirmSecondFactor', ({ caller, body }) =>
    confirmSecondFactor(context, caller, body.code),
  );
  route(app, contract, 'deleteSecondFactor', async ({ caller, body, locale }) => {
    const token = await deleteSecondFactor(context, caller, body.password);
    return { message: m.server_second_factor_removed({}, { locale }), token };
  });
  route(app, contract, 'answerSecondFactor', async ({ body, request }) => ({
    token: await answerChallenge(context, body, request.ip),
  }));
}
