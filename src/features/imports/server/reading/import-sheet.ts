import type pg from 'pg';
import { record } from '#features/audit/server/audit.service.ts';
import { storeWithinBudget } from '#features/clients/server/budgets/budgets.service.ts';
import { lockActiveCompany } from '#features/clients/server/clients.service.ts';
import { nameFields } from '#features/devices/server/fields/fields.service.ts';
import { describeInvalid } from '#features/imports/failure-texts.shared.ts';
import type { ImportAnswer } from '#features/imports/imports.contract.ts';
import {
  addFinishedRows,
  enqueueLookups,
  listPendingBlocks,
} from '#features/lookups/server/lookups.service.ts';
import {
  describeTicket,
  findTicketByNumber,
  insertTicket,
  lockTicket,
  type TicketRow,
  takeTicketId,
  ticketNotFound,
} from '#features/tickets/server/tickets.service.ts';
import { publishTicketEnd } from '#features/webhooks/server/events/publish-event.service.ts';
import { RowWriter } from '#server/db/bulk/row-writer.ts';
import type { Queryable } from '#server/db/db.ts';
import { requireSession } from '#server/http/caller-rights.ts';
import { m } from '#shared/texts/messages.js';
import { companyInactive, notInvalid, noValidSerial, ticketBusy, ticketTaken } from '../import-texts.ts';
import {
  copyDuplicates,
  copyFields,
  copySerials,
  fillTicket,
  type ImportCounts,
  toDuplicateLine,
  toSerialLine,
  tryLockOrder,
} from '../imports.queries.ts';
import { answerKnownRows, type KnownCounts } from '../known/answer-known-rows.ts';
import { numberNotes } from '../known/known-rows.queries.ts';
import { FieldBlocks } from '../mapping/field-blocks.ts';
import { findMapping, type MappingWithHeads, rememberMapping } from '../mapping/find-mapping.ts';
import type { Mapping } from '../mapping/read-fields.ts';
import { storeOriginal } from '../originals/originals.service.ts';
import { createHeadsReader } from './choose-column.ts';
import { columnLetter } from './column-letter.ts';
import { ColumnReader } from './column-reader.ts';
import type { ImportPhase, ImportTask } from './import-task.ts';
import { findColumn, type RowSource, readRows } from './row-source.ts';

export type ReportProgress = (phase: ImportPhase, rows: number) => void;

/**
 * Imports a sheet inside the caller's transaction: rows, duplicates, lookups and the ticket. The ticket's number is taken
 * last, because it stays locked until the transaction ends; the company's budget is locked just before.
 * @throws SheetError for a file that cannot be read; AppError 400 for a correction of a cell that is not invalid, 401, 403
 * if the caller has lost the right to upload, 404, 409 for an order that cannot take the rows or a budget that it would
 * pass, 422 for a sheet without any valid serial
 */
export async function importSheet(
  client: pg.Client,
  task: ImportTask,
  reportProgress: ReportProgress,
): Promise<ImportAnswer> {
  const order = task.ticketNumber === null ? undefined : await requireOrder(client, task.ticketNumber, task);
  const ticketId = order?.id ?? (await takeTicketId.one(client)).id;
  const letter = await findColumn(task.source);
  const corrections = findCorrections(task.source, letter);
  const column = new ColumnReader(task.maxRows, corrections);
  const { mapping, heads } = await findFields(client, task, letter);
  const { sheetPart, hasMacros, invalid } = await copyRows(
    client,
    ticketId,
    task,
    { letter, column, mapping },
    reportProgress,
  );
  // Only corrections of cells that are not invalid are left.
  if (corrections.size > 0) throw notInvalid(`${letter}${[...corrections.keys()][0]}`);
  if (column.imported === column.invalidCount) throw noValidSerial(column.invalid, letter);
  reportProgress('saving', column.cells);
  if (task.source.kind === 'file')
    await storeOriginal(client, ticketId, task.source.path, {
      sheetPart,
      hasMacros,
      headerRow: column.headerRow,
      fieldKeys: Object.values(mapping),
    });
  const known = await answerKnownRows(client, { ticketId, lastPosition: column.imported }, task);
  await addFinishedRows(client, ticketId, [...invalid, ...known.positions]);
  const counts = {
    imported: column.imported,
    invalid: column.invalidCount,
    duplicates: column.duplicateCount,
    headerSkipped: column.headerSkipped,
    fileName: task.fileName,
    known,
    askAgain: task.askAgain,
    kind: kindOf(task),
    importedBy: task.caller?.id ?? null,
  };
  // Before the ticket takes its number, for which the imports of all companies wait.
  const blocks = await listPendingBlocks.all(client, { ticketId });
  const { result: ticket, warning } = await storeWithinBudget(client, task, () =>
    saveTicket(client, ticketId, order, task, counts),
  );
  // After the ticket, whose company and kind the jobs have.
  await enqueueLookups(client, ticketId, blocks);
  if (known.done > 0)
    await numberNotes.run(client, { ticketId: ticket.id, ticketNumber: ticket.ticket_number });
  await record(
    client,
    {
      action: 'data.upload',
      objectId: ticket.ticket_number,
      companyCode: ticket.company_code,
      before: order ? { data_count: order.data_count } : null,
      after: {
        ticket_number: String(ticket.ticket_number),
        file_name: ticket.file_name,
        import_kind: ticket.import_kind,
        imported_count: column.imported,
        invalid_count: column.invalidCount,
        duplicate_count: column.duplicateCount,
        ...(column.corrected > 0 && { corrected_count: column.corrected }),
        ...(Object.keys(mapping).length > 0 && {
          own_fields: await nameFields(client, ticket.company_code, Object.values(mapping)),
        }),
        ...(task.freshDays !== null && { fresh_days: task.freshDays, known_count: known.done }),
      },
    },
    task.origin,
  );
  await rememberMapping(client, task.companyCode, mapping, heads);
  await requireUploadRights(client, task);
  return { ...describeImport(ticket, column, known, task), ...(warning && { budget_warning: warning }) };
}

/**
 * Checks the rights to upload again, because they may have ended while the file arrived. The product itself has no session.
 * @throws AppError 401 if the session has ended, 403 if the company is Inactive
 */
export async function requireUploadRights(
  tx: Queryable,
  { companyCode, caller }: Pick<ImportTask, 'companyCode' | 'caller'>,
): Promise<void> {
  if (!(await lockActiveCompany(tx, companyCode))) throw companyInactive(caller);
  if (caller) await requireSession(tx, caller);
}

/** Finds the own columns that columns of a sheet fill, or that texts have. */
async function findFields(
  client: pg.Client,
  { source, companyCode }: ImportTask,
  letter: string | undefined,
): Promise<MappingWithHeads> {
  if (source.kind === 'texts') {
    const keys = new Set(source.fields?.flatMap((fields) => Object.keys(fields ?? {})));
    return { mapping: Object.fromEntries([...keys].map((key) => [key, key])), heads: {} };
  }
  const { path, sheet, fields } = source;
  return findMapping(client, companyCode, fields, createHeadsReader(path, sheet, letter ?? columnLetter(1)));
}

/** Returns the corrections of the column that is read, by their row. @throws AppError 400 for a cell of another column */
function findCorrections(source: RowSource, letter: string | undefined): Map<number, string> {
  const corrections = new Map<number, string>();
  if (source.kind === 'texts' || source.corrections === null) return corrections;
  for (const [cell, text] of Object.entries(source.corrections)) {
    const row = Number(cell.replace(/^[A-Z]+/, ''));
    if (cell !== `${letter}${row}`) throw notInvalid(cell);
    corrections.set(row, text);
  }
  return corrections;
}

/** Finds and locks the empty Pending order of the user's company that the import fills. */
async function requireOrder(
  tx: Queryable,
  ticketNumber: number,
  { companyCode }: ImportTask,
): Promise<TicketRow> {
  // Locked before it is read, because another import might fill it in between.
  if (!(await tryLockOrder(tx, ticketNumber, companyCode))) throw ticketBusy();
  const order = await findTicketByNumber.first(tx, { ticketNumber, scope: companyCode });
  if (!order) throw ticketNotFound();
  if (!isEmptyOrder(order)) throw ticketTaken();
  return order;
}

function isEmptyOrder(ticket: TicketRow): boolean {
  return ticket.status === 'Pending' && ticket.total === 0 && !ticket.serial_deleted;
}

/**
 * Writes the rows, duplicates and values of own columns of the sheet as they are read.
 * @returns the part of the .xlsx file that was read, null for an .xls file and for texts; whether the file has macros; the
 * positions of invalid cells
 */
async function copyRows(
  client: pg.Client,
  ticketId: number,
  task: ImportTask,
  { letter, column, mapping }: { letter: string | undefined; column: ColumnReader; mapping: Mapping },
  reportProgress: ReportProgress,
): Promise<{ sheetPart: string | null; hasMacros: boolean; invalid: number[] }> {
  let sheetPart: string | null = null;
  let hasMacros = false;
  const invalid: number[] = [];
  const writer = new RowWriter(client);
  const fields = new FieldBlocks(task.companyCode, ticketId, Object.values(mapping));
  await readRows(task.source, letter, Object.keys(mapping), async (rows, part) => {
    sheetPart = part.sheetPart ?? null;
    hasMacros = part.hasMacros ?? false;
    const batch = column.read(rows);
    reportProgress('reading', column.cells);
    let serials = '';
    for (const row of batch.imported) {
      serials += toSerialLine(ticketId, row);
      if (row.reason !== null) invalid.push(row.position);
    }
    await writer.add(copySerials, serials);
    const duplicates = batch.duplicates.map((row) => toDuplicateLine(ticketId, row)).join('');
    await writer.add(copyDuplicates, duplicates);
    await writer.add(copyFields, fields.add(batch.imported, batch.duplicates));
  });
  await writer.add(copyFields, fields.end());
  await writer.end();
  return { sheetPart, hasMacros, invalid };
}

/** Returns how the rows of an import came. Lists that the product puts together check devices again. */
function kindOf({ source, ownKey }: ImportTask): ImportCounts['kind'] {
  if (ownKey !== null) return 'recheck';
  return source.kind === 'file' ? 'upload' : 'paste';
}

async function saveTicket(
  tx: Queryable,
  id: number,
  order: TicketRow | undefined,
  { companyCode, caller, price, dollarRate }: ImportTask,
  counts: ImportCounts,
): Promise<TicketRow> {
  if (order) {
    // The order may have been cancelled or deleted while the sheet was read.
    const lockedOrder = await lockTicket.first(tx, { id });
    if (!lockedOrder) throw ticketNotFound();
    if (!isEmptyOrder(lockedOrder)) throw ticketTaken();
  } else {
    const dataCount = counts.imported;
    await insertTicket(tx, { id, companyCode, createdBy: caller?.id ?? null, dataCount, price, dollarRate });
  }
  const ticket = await fillTicket(tx, id, counts);
  if (ticket.status === 'Completed') await publishTicketEnd(tx, 'ticket.completed', ticket);
  return ticket;
}

function describeImport(
  row: TicketRow,
  column: ColumnReader,
  known: KnownCounts,
  { locale, caller }: ImportTask,
): ImportAnswer {
  const ticket = describeTicket(row, caller);
  const count = String(column.imported);
  return {
    message: m.data_upload_done({ count, ticket: ticket.ticket_number }, { locale }),
    imported_count: column.imported,
    invalid_count: column.invalidCount,
    duplicate_count: column.duplicateCount,
    known_count: known.done,
    header_skipped: column.headerSkipped,
    duplicates: column.duplicates.map(({ row: at, serial, firstRow }) => ({
      row: at,
      serial,
      first_row: firstRow,
    })),
    invalid: column.invalid.map(({ row: at, value, reason }) => ({
      row: at,
      value,
      reason: describeInvalid(reason, { locale }),
    })),
    ticket,
  };
}
