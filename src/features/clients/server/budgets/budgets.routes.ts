import type { FastifyInstance } from 'fastify';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import * as contract from '../../budgets.contract.ts';
import { getBudget, putBudget } from './budgets.service.ts';

export function registerBudgets(app: FastifyInstance, context: Context): void {
  route(app, contract, 'getBudget', ({ params, caller }) => getBudget(context, caller, params.company_code));
  route(app, contract, 'putBudget', ({ params, body, caller }) =>
    putBudget(context, caller, params.company_code, body.monthly_rupiah),
  );
}
