import type { FastifyInstance } from 'fastify';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import * as contract from '../../terms.contract.ts';
import { getTerms, putTerms } from './terms.service.ts';

export function registerTerms(app: FastifyInstance, { db }: Context): void {
  route(app, contract, 'getTerms', ({ params, caller }) => getTerms(db, caller, params.company_code));
  route(app, contract, 'putTerms', ({ params, body, caller }) =>
    putTerms(db, caller, params.company_code, body),
  );
}
