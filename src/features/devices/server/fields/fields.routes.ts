import type { FastifyInstance } from 'fastify';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import { repeatWork } from '#server/runtime/repeat-work.ts';
import * as contract from '../../fields.contract.ts';
import { deleteUnused } from './field-values.service.ts';
import { deleteRemovedValues, getFields, putFields } from './fields.service.ts';

const cleaning = {
  everyMs: 3_600_000,
  failure: 'values of own columns that are not used could not be deleted',
};

/** Serves own columns, and deletes the values of removed ones and of serials that are known no more. */
export function registerFields(app: FastifyInstance, context: Context): void {
  const { db, log } = context;
  repeatWork(app, log, cleaning, async (signal) => {
    await deleteRemovedValues(db, null, signal);
    await deleteUnused(db, signal);
  });
  route(app, contract, 'getFields', ({ params, caller }) => getFields(db, caller, params.company_code));
  route(app, contract, 'putFields', ({ params, query, body, caller }) =>
    putFields(context, caller, params.company_code, { ...body, forgets: query.forget === 'true' }),
  );
}
