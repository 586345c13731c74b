import type { FastifyInstance } from 'fastify';
import { sendFile } from '#server/http/files/send-file.ts';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import { repeatWork } from '#server/runtime/repeat-work.ts';
import * as contract from '../audit.contract.ts';
import { deleteExpiredEntries, listAudit } from './audit.service.ts';
import { downloadAudit } from './export/audit-file.ts';

const cleaningMs = 3_600_000;

/** Serves the audit log and deletes expired entries every hour. */
export function registerAudit(app: FastifyInstance, context: Context): void {
  const { db, config, log } = context;
  const cleaning = { everyMs: cleaningMs, failure: 'old entries of the audit log could not be deleted' };
  repeatWork(app, log, cleaning, () => deleteExpiredEntries(db, config.AUDIT_DAYS));

  route(app, contract, 'listAudit', ({ query, caller, db }) => listAudit({ ...context, db }, caller, query));
  route(app, contract, 'downloadAudit', ({ query, caller, locale, reply }) =>
    sendFile(reply, query.format, (signal) => downloadAudit(context, query, locale, caller, signal)),
  );
}
