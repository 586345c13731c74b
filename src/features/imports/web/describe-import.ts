import type { ImportAnswer } from '#features/imports/imports.contract.ts';
import { m } from '#shared/texts/messages.js';

/** What an import brought: the answer's message in the language of the screen, which may be another by now. */
export function describeImport({ imported_count: count, ticket }: ImportAnswer): string {
  return m.data_upload_done({ count: String(count), ticket: ticket.ticket_number });
}
