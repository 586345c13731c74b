import type { FastifyInstance } from 'fastify';
import { Loop } from '#server/concurrency/loop.ts';
import { sendFile } from '#server/http/files/send-file.ts';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import * as contract from '../audit.contract.ts';
import { deleteExpiredEntries, listAudit } from './audit.service.ts';
import { downloadAudit } from './export/audit-file.ts';

const cleaningMs = 3_600_000;
/** Serves the audit log and deletes expired entries every hour. */
export function registerAudit(app: FastifyInstance, context: Context): void {
  const { db, config, log } = context;
  const cleaning = new Loop(() => deleteExpiredEntries(db, config.AUDIT_DAYS), {
    pauseMs: () => cleaningMs,
    onFailure: (err) => log.warn({ err }, 'old entries of the audit log could not be deleted'),
  });
  app.addHook('onReady', async () => cleaning.wake());
  app.addHook('onClose', () => cleaning.stop());

  route(app, contract.listAudit, ({ query, caller, db }) => listAudit({ ...context, db }, caller, query));
  route(app, contract.downloadAudit, ({ query, caller, locale, reply }) =>
    sendFile(reply, query.format, (gone) => downloadAudit(context, query, locale, caller, gone)),
  );
}
