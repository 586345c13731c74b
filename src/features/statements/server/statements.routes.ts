import type { FastifyInstance } from 'fastify';
import { type Caller, narrowToScope } from '#server/http/caller.ts';
import { sendFile } from '#server/http/files/send-file.ts';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import * as contract from '../statements.contract.ts';
import { downloadStatements } from './export/statement-file.ts';
import type { ScopedStatementQuery } from './statements.queries.ts';
import { listStatements } from './statements.service.ts';

export function registerStatements(app: FastifyInstance, context: Context): void {
  const timeZone = context.config.APP_TIMEZONE;
  route(app, contract, 'listStatements', async ({ query, caller, db }) => {
    const scopedQuery = scopeStatementQuery(caller, query, timeZone);
    return listStatements(db, scopedQuery, query);
  });
  route(app, contract, 'downloadStatements', ({ query, caller, locale, reply }) => {
    const scopedQuery = scopeStatementQuery(caller, query, timeZone);
    return sendFile(reply, query.format, (signal) =>
      downloadStatements(context, scopedQuery, query.format, locale, caller, signal),
    );
  });
}

type Query = { month: string; company_code?: string | undefined };

/** Narrows a query to the caller's company; another one has no statements for them. */
function scopeStatementQuery(
  caller: Caller,
  { month, company_code: code }: Query,
  timeZone: string,
): ScopedStatementQuery {
  return { firstDay: `${month}-01`, timeZone, companyCode: narrowToScope(caller, code) };
}
