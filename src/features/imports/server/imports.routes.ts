import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendFile } from '#server/http/files/send-file.ts';
import { route } from '#server/http/route.ts';
import { abortOnClose } from '#server/runtime/abort-on-close.ts';
import type { Context } from '#server/runtime/context.ts';
import { repeatWork } from '#server/runtime/repeat-work.ts';
import { removeStaleUploads } from '#server/uploads/upload-files.ts';
import { m } from '#shared/texts/messages.js';
import * as contract from '../imports.contract.ts';
import { getUpload, importSerials, uploadSheet } from './imports.service.ts';
import { deleteOldOriginals } from './originals/originals.service.ts';
import { previewSerials, previewSheet, previews } from './preview/preview.service.ts';
import { ImportThreads } from './reading/import-threads.ts';
import { downloadReport } from './report/report.service.ts';
import { deleteOldUploads } from './upload/uploads.queries.ts';
import { deleteUploadedRows, getImport, listUploadedRows } from './uploaded-rows/uploaded-rows.service.ts';

const cleaningMs = 3_600_000;

/**
 * Serves uploads and uploaded rows, and deletes uploaded files after ORIGINAL_DAYS and answers to uploads after a day.
 * @returns the threads of imports, which the product's own imports share
 */
export function registerImports(app: FastifyInstance, context: Context): ImportThreads {
  const { db, config, log } = context;
  const threads = new ImportThreads(context);
  app.addHook('onReady', () => removeStaleUploads(config.DATA_DIR));
  app.addHook('onClose', () => Promise.all([threads.drain(), previews.drain()]));
  const files = { everyMs: cleaningMs, failure: 'uploaded files that are too old could not be deleted' };
  repeatWork(app, log, files, () => deleteOldOriginals(db, config.ORIGINAL_DAYS));
  const answers = {
    everyMs: cleaningMs,
    failure: 'answers to uploads that are too old could not be deleted',
  };
  repeatWork(app, log, answers, () => deleteOldUploads.run(db));
  route(app, contract, 'uploadSheet', (call) =>
    answerWhileConnected(call.reply, (signal) => uploadSheet(context, threads, { ...call, signal })),
  );
  route(app, contract, 'importSerials', (call) =>
    answerWhileConnected(call.reply, (signal) =>
      importSerials(context, threads, { ...call, signal }, call.body),
    ),
  );
  route(app, contract, 'previewSheet', (call) =>
    answerWhileConnected(call.reply, (signal) => previewSheet(context, { ...call, signal })),
  );
  route(app, contract, 'previewSerials', (call) =>
    answerWhileConnected(call.reply, (signal) =>
      previewSerials(context, { ...call, signal }, call.body.serials),
    ),
  );
  route(app, contract, 'getUpload', ({ params, caller }) => getUpload(db, caller, params.key));
  route(app, contract, 'listUploadedRows', ({ params, query, caller }) =>
    listUploadedRows(db, caller, params.ticket, query),
  );
  route(app, contract, 'deleteUploadedRows', async ({ params, query, caller, locale }) => {
    await deleteUploadedRows(context, caller, params.ticket, query.forget_devices);
    return { message: m.server_import_deleted({}, { locale }) };
  });
  route(app, contract, 'getImport', ({ params, caller }) => getImport(db, caller, params.ticket));
  route(app, contract, 'downloadReport', ({ params, caller, locale, reply }) =>
    sendFile(reply, 'excel', (signal) => downloadReport(context, caller, params.ticket, locale, signal)),
  );
  return threads;
}

/** Answers with a result of long work, which ends with `signal` when the caller disconnects. */
async function answerWhileConnected<T>(
  reply: FastifyReply,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | FastifyReply> {
  const signal = abortOnClose(reply);
  const answer = await work(signal).catch((error: Error) => {
    if (!signal.aborted) throw error;
  });
  return answer ?? reply.hijack();
}
