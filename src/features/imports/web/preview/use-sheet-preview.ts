import { useDebouncedValue } from '@mantine/hooks';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { keepMapping } from '#features/devices/web/fields/field-mapping.view.tsx';
import { useFields } from '#features/devices/web/fields/fields.api.ts';
import type { SheetPreview } from '#features/imports/imports.contract.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';
import { workbookBeginnings } from '#shared/workbook-beginnings.ts';
import { readBeginning } from '#web/client/chosen-file.ts';
import { ApiFailure } from '#web/client/failure.ts';
import { useUser } from '#web/client/session.ts';
import { useLanguage } from '#web/preferences/language.ts';
import { createSwitch } from '#web/preferences/store.ts';
import { splitSerials } from '../form/split-serials.ts';
import { previewSerials, previewSheet } from '../imports.api.ts';
import type { SheetChoice } from '../upload-attempt.ts';
import type { Upload } from '../upload-provider.tsx';
import { listCorrections } from './corrections.ts';
import { previewKey, useDropOnLeave } from './drop-previews.ts';

/** An upload that failed after minutes finds its preview again. */
const keptMs = 600_000;

/** A list is read when typing has paused for so long. */
const pauseMs = 400;

/** How long an upload waits for the preview, which may have to wait for those of other companies. */
const lateMs = 10_000;

/** The user's choice whether files and lists are previewed before they are uploaded. */
export const previewSwitch = createSwitch('coverdesk.preview');

export type Preview = ReturnType<typeof useSheetPreview>;

/**
 * Reads the chosen file or the pasted list before it is uploaded, unless the preview is off. The read is aborted by another
 * content or choice, by the upload, and when the screen is left. A column with clearly more IMEIs than the default is read
 * instead of it, unless the user chose one or corrected a cell.
 */
export function useSheetPreview(upload: Upload) {
  const { way, file, text, choice, typed, busy, answer } = upload;
  const list = splitSerials(text).join('\n');
  const [paused] = useDebouncedValue(list, pauseMs);
  const isTyping = way === 'text' && list !== paused;
  const isChosen = way === 'file' ? file !== null : list !== '';
  const isOn = previewSwitch.useValue() && isChosen && !busy && answer === null;
  const content = way === 'file' ? file : paused;
  const previewContent = isOn && content !== '' ? content : null;
  const chosenRead = usePreviewRead(previewContent, choice);
  const isFree = choice.column === null && Object.keys(typed).length === 0;
  const suggestion = isFree ? findBetter(chosenRead.preview) : null;
  const suggestedRead = usePreviewRead(suggestion && previewContent, suggestion ?? choice);
  const pendingRead = suggestion === null ? chosenRead : suggestedRead;
  const isAwaited = pendingRead.read.isFetching && !isTyping && pendingRead.preview === undefined;
  const isLate = useLate(isAwaited, content, choice);
  // An upload reads the column that is on screen, so a better one that cannot be read in time is only offered.
  const isBetterRead =
    suggestion !== null && (suggestedRead.preview !== undefined || !(suggestedRead.read.isError || isLate));
  const { read, preview } = isBetterRead ? suggestedRead : chosenRead;
  const readChoice = isBetterRead ? suggestion : choice;
  const settled = isTyping ? undefined : preview;
  const ownFields = useFields(useUser().companyCode);
  const mapping = upload.fields ?? settled?.fields ?? null;
  useDropOnLeave(busy);
  return {
    isOn,
    read,
    /** The preview of this choice, else the one before it. */
    data: preview ?? chosenRead.read.data,
    /** The preview of this choice; undefined until it is read. */
    settled,
    isReading: read.isFetching || isTyping,
    /** Whether the upload should wait for the preview. */
    isAwaited: (isAwaited && !isLate) || isTyping,
    /** Whether the preview takes too long to wait for it. */
    isLate,
    /** The column that the suggested one replaces; null unless one is suggested. */
    replaced: isBetterRead ? (chosenRead.preview?.column ?? null) : null,
    /** Why an upload would refuse the file, too. */
    refusal: isRefusal(read.error) ? read.error : null,
    /** The sheet and column that the upload reads: those of the preview, else the choice. */
    choice: settled === undefined ? readChoice : toChoice(settled),
    /** The choice by which the preview on screen was read. */
    readChoice,
    corrections: way === 'file' ? listCorrections(typed) : {},
    /** The own columns that the upload fills, as they are shown; null where heads decide. */
    fields: mapping && keepMapping(mapping, ownFields),
  };
}

/** Reads the preview of a content; without a content, nothing. `preview` is undefined until it is read. */
function usePreviewRead(content: Content | null, choice: SheetChoice) {
  const queries = useQueryClient();
  const query = previewQuery(content, choice, useLanguage());
  const read = useQuery(query);
  const inAnyLanguage = queries.getQueriesData<SheetPreview>({ queryKey: query.queryKey.slice(0, -1) });
  // After a change of the language, the cells can be corrected before the file is read again, also if that fails.
  const preview =
    read.data === undefined || read.isPlaceholderData
      ? inAnyLanguage.map(([, data]) => data).find((data) => data !== undefined)
      : read.data;
  return { read, preview };
}

/**
 * Returns the choice of the suggested column if it has at least twice the IMEIs of the one that was read, and an IMEI for
 * every two of its serials. With fewer, that one may well be meant: one of two columns with the IMEIs of the same devices has
 * a typing error, or few of the devices have an IMEI beside their serial.
 */
function findBetter(preview: SheetPreview | undefined): SheetChoice | null {
  if (!preview || preview.suggested_sheet !== null || preview.suggested_column === null) return null;
  const { sheet, sheets, columns, suggested_column: column } = preview;
  const count = (letter: string) => columns.find((one) => one.column === letter);
  const suggested = count(column)?.imeis ?? 0;
  const { imeis = 0, serials = 0 } = count(preview.column) ?? {};
  if (suggested < 2 * imeis || 2 * suggested < serials) return null;
  return { sheet: sheet === sheets[0] ? null : sheet, column };
}

/** Returns whether the preview of a content and choice has been awaited for `lateMs`. */
function useLate(isAwaited: boolean, content: Content | null, choice: SheetChoice): boolean {
  const [isLate, setLate] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another content or choice begins another wait
  useEffect(() => {
    if (!isAwaited) return undefined;
    const timer = setTimeout(() => setLate(true), lateMs);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isAwaited, content, choice]);
  return isLate;
}

/** A file, or the serials of a list, one in each line. */
type Content = File | string;

function previewQuery(content: Content | null, choice: SheetChoice, language: Locale) {
  const isFile = content instanceof File;
  const name = isFile ? [content.name, content.size, content.lastModified].join(' ') : 'list';
  return queryOptions({
    queryKey: [previewKey, name, isFile ? null : content, choice, language],
    queryFn: ({ signal }) => readPreview(content as Content, choice, signal),
    enabled: ({ state }) => content !== null && !isRefusalOfFile(state.error),
    // The file is sent once while the screen is open, and again only by Retry, whatever other reads are repeated.
    staleTime: 'static',
    gcTime: keptMs,
    // The earlier preview stays until that of another column or list is read: the selectors of the column and the place of
    // the counts are in it.
    placeholderData: (before, query) => (query?.queryKey[1] === name ? before : undefined),
    meta: { sendsFile: true },
  });
}

async function readPreview(
  content: Content,
  choice: SheetChoice,
  signal: AbortSignal,
): Promise<SheetPreview> {
  if (!(content instanceof File)) return previewSerials(content.split('\n'), signal);
  if (!(await isWorkbook(content))) throw new ApiFailure(415, { message: m.server_sheet_unsupported() });
  signal.throwIfAborted();
  return previewSheet(content, choice, signal);
}

/** Returns whether the first bytes are those of a workbook: any other file the server would refuse only once it is sent. */
async function isWorkbook(file: File): Promise<boolean> {
  const bytes = await readBeginning(file, 8);
  const magic = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const { xlsx, xls, oldExcel } = workbookBeginnings;
  return [xlsx, xls, ...oldExcel].some((beginning) => magic.startsWith(beginning));
}

/** The statuses of a file that stays refused until it is changed. */
const fileRefusals = [413, 415, 422];

function isRefusalOfFile(error: unknown): error is ApiFailure {
  return error instanceof ApiFailure && fileRefusals.includes(error.status);
}

/** Returns whether an upload would be refused, too. 403: the company is Inactive. 410: the file was changed. */
function isRefusal(error: unknown): error is ApiFailure {
  return isRefusalOfFile(error) || (error instanceof ApiFailure && [403, 410].includes(error.status));
}

/** Returns only values that differ from the default, because a repeated upload must equal the first. */
function toChoice({ sheet, sheets, column, default_column }: SheetPreview): SheetChoice {
  return {
    sheet: sheet === (sheets[0] ?? '') ? null : sheet,
    column: column === default_column ? null : column,
  };
}
