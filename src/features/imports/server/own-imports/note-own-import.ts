import type { Queryable } from '#server/db/db.ts';
import { AppError } from '#server/http/errors/errors.ts';
import { m } from '#shared/texts/messages.js';
import { insertOwnImport } from './own-imports.queries.ts';

/**
 * Notes an own import of the product in its transaction, so that no second one is stored under its key.
 * @throws AppError 409 if there is one
 */
export async function noteOwnImport(tx: Queryable, key: string, ticketNumber: string): Promise<void> {
  if (await insertOwnImport(tx, key, ticketNumber)) return;
  throw new AppError(409, 'already_imported', (locale) => m.server_import_once({}, { locale }));
}
