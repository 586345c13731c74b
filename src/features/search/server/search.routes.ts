import type { FastifyInstance } from 'fastify';
import { route } from '#server/http/route.ts';
import * as contract from '../search.contract.ts';
import { search } from './search.service.ts';

export function registerSearch(app: FastifyInstance): void {
  route(app, contract, 'search', ({ query, caller, db }) => search(db, caller, query.q, query.company_code));
}
