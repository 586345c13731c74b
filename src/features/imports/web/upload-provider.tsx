import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useRef, useState } from 'react';
import type { getUpload, ImportAnswer } from '#features/imports/imports.contract.ts';
import { readAllAgain } from '#features/tickets/web/changes.view.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { ApiFailure, describeFailedChange, isEndUnknown, wasAborted } from '#web/client/failure.ts';
import { read } from '#web/client/read.ts';
import { useUser } from '#web/client/session.ts';
import { toast } from '#web/ui/feedback/toast.tsx';
import { keepUnsentText, readUnsentText } from './form/unsent-text.ts';
import { sendUpload } from './imports.api.ts';
import type { TypedCells } from './preview/corrections.ts';
import { dropPreviews } from './preview/drop-previews.ts';
import { describeImport } from './report/describe-import.ts';
import { beginAttempt, type SheetChoice, type UploadAttempt, type UploadInput } from './upload-attempt.ts';

const phaseEveryMs = 700;

type State = {
  way: 'file' | 'text';
  file: File | null;
  text: string;
  /** The order that the user chose, or that may have been filled: empty for a new ticket, null while the default counts. */
  order: string | null;
  /** The default order of the present file or list. */
  keptOrder: string | null;
  /** The days as they were typed, up to which answers of the register are taken. */
  freshDays: string;
  choice: SheetChoice;
  typed: TypedCells;
  /** The own columns that the user chose, by column of the sheet; null where heads decide. */
  fields: UploadInput['chosenFields'];
  /** The name of the file that was sent last; null for pasted serials. */
  sentName: string | null;
  /** Bytes sent; null while no upload is running. */
  sent: { bytes: number; total: number } | null;
  answer: ImportAnswer | null;
  failure: unknown;
};

const noChoice: SheetChoice = { sheet: null, column: null };
const noFile = { file: null, choice: noChoice, typed: {}, fields: null };
const nothing: State = {
  ...noFile,
  way: 'file',
  text: '',
  order: null,
  keptOrder: null,
  freshDays: '',
  sentName: null,
  sent: null,
  answer: null,
  failure: null,
};

export type Upload = ReturnType<typeof useUploadState>;

const UploadContext = createContext<Upload | null>(null);

/**
 * One upload at a time: its file, its bytes, then the rows that the server has read, its answer or failure. It goes on
 * on every screen, and ends with the session.
 */
export function UploadProvider({ children }: { children: ReactNode }) {
  return <UploadContext value={useUploadState()}>{children}</UploadContext>;
}

export function useUpload(): Upload {
  const upload = use(UploadContext);
  if (upload === null) throw new Error('An upload needs an UploadProvider above it');
  return upload;
}

function useUploadState() {
  const queries = useQueryClient();
  const attempt = useRef<UploadAttempt>(null);
  const stop = useRef<AbortController>(null);
  const { email } = useUser();
  const [state, setState] = useState(() => beginWith(readUnsentText(email)));
  const change = (part: Partial<State>) => setState((before) => ({ ...before, ...part }));
  const { sent } = state;
  const busy = sent !== null;

  useEffect(() => () => stop.current?.abort(), []);
  const unsent = state.answer !== null && state.sentName === null ? '' : state.text;
  useEffect(() => keepUnsentText(email, unsent), [email, unsent]);
  useEffect(() => {
    if (!busy) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [busy]);

  const allSent = sent !== null && sent.total > 0 && sent.bytes >= sent.total;
  const phase = useQuery({
    ...read<typeof getUpload>(['upload'], 'GET /data/upload/{key}', {
      params: { key: attempt.current?.key ?? '' },
    }),
    enabled: allSent,
    // First asked after one interval: a small file has its answer by then, and the server knows a large one.
    initialData: { phase: 'receiving', rows: 0 },
    staleTime: phaseEveryMs,
    refetchInterval: phaseEveryMs,
    gcTime: 0,
  });

  const start = async (input: UploadInput) => {
    attempt.current = beginAttempt(input, attempt.current);
    stop.current = new AbortController();
    change({ failure: null, answer: null, ...describeStart(input) });
    try {
      const answer = await sendUpload(attempt.current, {
        idempotencyKey: attempt.current.key,
        signal: stop.current.signal,
        onBytes: (bytes, total) => change({ sent: { bytes, total } }),
      });
      attempt.current = null;
      change({ answer, sent: null });
      if (!isPageInSight()) toast.success(describeImport(answer), linkToTicket(answer));
      dropPreviews(queries);
      void readAllAgain(queries);
    } catch (failure) {
      // The repeat has to be for the same order, also if the file is removed and chosen again.
      if (isEndUnknown(failure)) {
        change({ order: input.order });
        void readAllAgain(queries);
      } else attempt.current = null;
      change({ failure: wasAborted(failure) ? null : failure, sent: null });
    }
  };

  return {
    ...state,
    busy,
    /** Rows that the server has read so far; null while bytes are still leaving. */
    rows: allSent ? phase.data.rows : null,
    error: state.failure === null ? null : describeFailedChange(state.failure, describeEnd(state.sentName)),
    invalidCells: isWithoutSerial(state.failure) ? state.failure.details : [],
    /** Replaces the file that was chosen, sent or refused; null removes it. */
    choose: (file: File | null) => change({ ...noFile, way: 'file', file, answer: null, failure: null }),
    setWay: (way: State['way']) => change({ way, failure: null }),
    setText: (text: string) => change({ text, failure: null }),
    /** Another sheet or column has other cells. */
    setChoice: (choice: SheetChoice) => change({ choice, typed: {}, fields: null, failure: null }),
    /** Keeps what was typed over cells, and the choice by which they were read. */
    correct: (typed: TypedCells, choice: SheetChoice) => change({ typed, choice }),
    setFields: (fields: State['fields']) => change({ fields }),
    setOrder: (order: string) => change({ order }),
    keepOrder: (keptOrder: string | null) => change({ keptOrder }),
    setFreshDays: (freshDays: string) => change({ freshDays }),
    start,
    cancel: () => stop.current?.abort(),
    /** Resets the state for the next upload. A list stays if a file was sent, and a file if a list was. */
    forget: () =>
      setState((before) => {
        const unsent = before.sentName === null ? { ...before, text: '' } : { ...before, ...noFile };
        return { ...unsent, order: null, keptOrder: null, freshDays: '', sentName: null, answer: null };
      }),
  };
}

function beginWith(text: string): State {
  return text === '' ? nothing : { ...nothing, way: 'text', text };
}

/** The bytes of a list are not counted: it counts as sent at once, and the rows that the server has read follow. */
function describeStart({ content }: UploadInput): Pick<State, 'sent' | 'sentName'> {
  if (content instanceof File) return { sentName: content.name, sent: { bytes: 0, total: content.size } };
  return { sentName: null, sent: { bytes: content.length, total: content.length } };
}

function describeEnd(sentName: string | null): string {
  return sentName === null ? m.data_paste_failed() : m.data_upload_failed();
}

function isWithoutSerial(failure: unknown): failure is ApiFailure {
  return failure instanceof ApiFailure && failure.code === 'no_valid_serial';
}

/** A message that the page shows needs no toast. */
function isPageInSight(): boolean {
  return location.pathname === paths.upload;
}

function linkToTicket({ ticket: { ticket_number: ticket } }: ImportAnswer) {
  return { to: paths.dataOf(ticket), text: m.data_upload_open_ticket({ ticket }) };
}
