import { Button, Loader } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { describeFailure, wasAborted } from '#web/failure.ts';
import { formatBytes } from '#web/format.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import { type DownloadFormat, type DownloadScope, downloadResults } from './results.api.ts';
import './download-dialog.css';

const formats: { value: DownloadFormat; label: () => string }[] = [
  { value: 'excel', label: m.data_format_excel },
  { value: 'json', label: m.data_format_json },
];
const scopes: { value: DownloadScope; label: () => string }[] = [
  { value: 'all', label: m.data_all },
  { value: 'active', label: m.data_active_only },
  { value: 'inactive', label: m.data_inactive_only },
];

/** Choose a format, then what to download; the option being processed shows a spinner and how much has arrived. */
export function DownloadDialog({ ticketNumber, onClose }: { ticketNumber: string; onClose: () => void }) {
  const [format, setFormat] = useState<DownloadFormat>('excel');
  const [running, setRunning] = useState<DownloadScope | null>(null);
  const [received, setReceived] = useState(0);
  const [error, setError] = useState<string | null>(null);
  const stop = useRef<AbortController>(null);

  useEffect(() => () => stop.current?.abort(), []);

  const start = async (scope: DownloadScope) => {
    const controller = new AbortController();
    stop.current = controller;
    setRunning(scope);
    setReceived(0);
    setError(null);
    try {
      await downloadResults(ticketNumber, format, scope, { onBytes: setReceived, signal: controller.signal });
      toast.success(m.data_downloaded());
      onClose();
    } catch (failure) {
      if (wasAborted(failure)) return;
      setError(describeFailure(failure, m.data_download_failed()));
      setRunning(null);
    }
  };

  return (
    <Dialog title={m.data_download()} onClose={onClose}>
      {error !== null && <Banner tone="error">{error}</Banner>}
      <fieldset className="download-formats" disabled={running !== null}>
        <legend>{m.data_download_format()}</legend>
        {formats.map(({ value, label }) => (
          <label key={value}>
            <input
              type="radio"
              name="format"
              value={value}
              checked={format === value}
              onChange={() => setFormat(value)}
            />
            {label()}
          </label>
        ))}
      </fieldset>
      <p className="dim">{m.data_download_scope()}</p>
      <div className="stack tight">
        {scopes.map(({ value, label }) => (
          <Button
            key={value}
            variant="default"
            disabled={running !== null}
            aria-busy={running === value}
            rightSection={running === value && <Loader size={16} />}
            onClick={() => start(value)}
          >
            {label()}
          </Button>
        ))}
      </div>
      <p className="dim" role="status">
        {running !== null && received > 0 ? m.data_received({ size: formatBytes(received) }) : ''}
      </p>
    </Dialog>
  );
}
