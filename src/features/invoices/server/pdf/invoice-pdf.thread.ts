// The thread that writes one PDF.
import { workerData } from 'node:worker_threads';
import pdfmake from 'pdfmake';
import fonts from 'pdfmake/fonts/Roboto.js';
import { runThreadTask } from '#server/threads/thread-task-runner.ts';
import { type InvoicePaper, layOutInvoice } from './invoice-document.ts';

const fontFiles: unknown[] = Object.values(fonts.Roboto);
// The texts of an invoice come from outside, and lead to no file and no address.
pdfmake.setLocalAccessPolicy((path) => fontFiles.includes(path));
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.addFonts(fonts);

runThreadTask<Uint8Array, never>(async (tell) => {
  const document = layOutInvoice(workerData as InvoicePaper);
  tell({ kind: 'answer', answer: await pdfmake.createPdf(document).getBuffer() });
});
