import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ImportAnswer } from '#features/imports/imports.contract.ts';
import { m } from '#shared/texts/messages.js';
import { describeFailure, wasAborted } from '#web/failure.ts';
import { sendSheet, uploadPhaseQuery } from './imports.api.ts';

const phaseEveryMs = 700;

/** A fresh key; `crypto.randomUUID` is missing where the product is served without TLS. */
function makeKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export type Upload = ReturnType<typeof useUpload>;

/**
 * One upload at a time: its bytes, then the rows that the server has read, its answer or failure. Sending the same
 * file again, as after a lost connection, is the same upload to the server.
 */
export function useUpload() {
  const queries = useQueryClient();
  const attempt = useRef<{ file: File; order: string; key: string }>(null);
  const stop = useRef<AbortController>(null);
  const [sent, setSent] = useState<{ bytes: number; total: number } | null>(null);
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<ImportAnswer | null>(null);
  const [error, setError] = useState<string | null>(null);

  const allSent = sent !== null && sent.total > 0 && sent.bytes >= sent.total;
  const phase = useQuery({
    ...uploadPhaseQuery(attempt.current?.key ?? ''),
    enabled: busy && allSent,
    // First asked after one interval: a small file has its answer by then, and the server has heard of a large one.
    initialData: { phase: 'receiving', rows: 0 },
    staleTime: phaseEveryMs,
    refetchInterval: phaseEveryMs,
    gcTime: 0,
  });

  const start = async (file: File, order: string) => {
    const before = attempt.current;
    const key = before?.file === file && before.order === order ? before.key : makeKey();
    attempt.current = { file, order, key };
    stop.current = new AbortController();
    setBusy(true);
    setError(null);
    setSent({ bytes: 0, total: file.size });
    try {
      const imported = await sendSheet(file, order, {
        idempotencyKey: key,
        signal: stop.current.signal,
        onBytes: (bytes, total) => setSent({ bytes, total }),
      });
      setAnswer(imported);
      queries.invalidateQueries();
    } catch (failure) {
      if (!wasAborted(failure)) setError(describeFailure(failure, m.data_upload_failed()));
    }
    setBusy(false);
    setSent(null);
  };

  return {
    busy,
    sent,
    /** Rows that the server has read so far; null while bytes are still leaving. */
    rows: allSent ? phase.data.rows : null,
    answer,
    error,
    setError,
    start,
    cancel: () => stop.current?.abort(),
  };
}
