import { Button, Checkbox, Loader, Radio } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { downloadAnnotated, getOriginal } from '#features/results/results.contract.ts';
import { ticketsKey } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { fileOf } from '#web/client/download.ts';
import { read } from '#web/client/read.ts';
import { useDownload } from '#web/client/use-download.ts';
import { formatBytes, formatNumber } from '#web/format/format.ts';
import { Outcome } from '#web/ui/feedback/outcome.tsx';
import { PartNotRead } from '#web/ui/feedback/part-not-read.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { countsQuery, type DownloadFormat, resultsFile } from './results.api.ts';
import { askFor, isChosen, type RowChoice } from './rows/row-filter.view.ts';
import '@mantine/core/styles/Radio.layer.css';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import styles from './download-dialog.module.css';

const formats: { value: DownloadFormat; label: () => string }[] = [
  { value: 'excel', label: m.data_format_excel },
  { value: 'json', label: m.data_format_json },
];
const originalTexts = {
  kept: m.data_download_original_kept,
  xls: m.data_download_original_xls,
  macros: m.data_download_original_macros,
  gone: m.data_download_original_gone,
};
/** The downloads offered besides the filtered rows. `count` names the field of `RowCounts` with their number. */
const scopes = [
  { label: m.data_all, count: 'all', query: { status: 'all' } },
  { label: m.data_active_only, count: 'activated', query: { status: 'active' } },
  { label: m.data_inactive_only, count: 'unactivated', query: { status: 'inactive' } },
] as const;

type Props = {
  ticketNumber: string;
  choice: RowChoice;
  found: number | undefined;
  /** As for the counts beside the rows. */
  version: number;
  onClose: () => void;
};

export default function DownloadDialog({ ticketNumber, choice, found, version, onClose }: Props) {
  const id = useId();
  const [format, setFormat] = useState<DownloadFormat>('excel');
  const [origins, setOrigins] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const { data } = useQuery(countsQuery(ticketNumber, version));
  const { running, received, save } = useDownload<string>({
    texts: { saved: m.data_downloaded(), failed: m.data_download_failed() },
    onSaved: onClose,
    onError: setError,
  });
  const input = { params: { ticket: ticketNumber } };
  const originalRead = useQuery(read<typeof getOriginal>(ticketsKey, 'GET /data/{ticket}/original', input));
  const original = originalRead.data;
  const originalName = m.data_download_original();
  const start = (label: string, query: Parameters<typeof resultsFile>[2]) => {
    setError(null);
    const provenance = format === 'excel' && origins && { provenance: '1' as const };
    save(label, resultsFile(ticketNumber, format, { ...query, ...provenance }));
  };
  const options = [
    ...(isChosen(choice) ? [{ label: m.results_download_shown(), count: found, query: askFor(choice) }] : []),
    ...scopes.map(({ label, count, query }) => ({ label: label(), count: data?.counts?.[count], query })),
  ];

  return (
    <Dialog title={m.data_download()} onClose={onClose}>
      {error !== null && <Outcome tone="error">{error}</Outcome>}
      <fieldset className={styles.downloadFormats} disabled={running !== null}>
        <legend>{m.data_download_format()}</legend>
        {formats.map(({ value, label }) => (
          <Radio
            key={value}
            name="format"
            label={label()}
            checked={format === value}
            onChange={() => setFormat(value)}
          />
        ))}
      </fieldset>
      {format === 'excel' && (
        <Checkbox
          label={m.data_download_origins()}
          description={m.data_download_origins_hint()}
          checked={origins}
          disabled={running !== null}
          onChange={(event) => setOrigins(event.currentTarget.checked)}
        />
      )}
      <p className={typography.dim}>{m.data_download_scope()}</p>
      <div className={layout.tightStack}>
        {options.map(({ label, count, query }, index) => (
          <Button
            key={label}
            variant="default"
            disabled={running !== null}
            aria-busy={running === label}
            aria-describedby={`${id}-${index}`}
            rightSection={running === label && <Loader size={16} />}
            onClick={() => start(label, query)}
          >
            {label}
            {/* Beside the name, not part of it. */}
            <span id={`${id}-${index}`} className={styles.downloadCount} aria-hidden="true">
              {count === undefined ? '' : m.tickets_rows_of({ count, number: formatNumber(count) })}
            </span>
          </Button>
        ))}
      </div>
      <PartNotRead read={originalRead} name={originalName} />
      {original && (
        <>
          <p className={typography.dim} id={`${id}-original`}>
            {originalTexts[original.state]()}
          </p>
          <Button
            variant="default"
            disabled={running !== null || original.state !== 'kept'}
            aria-busy={running === originalName}
            aria-describedby={`${id}-original`}
            rightSection={running === originalName && <Loader size={16} />}
            onClick={() => {
              setError(null);
              save(originalName, fileOf<typeof downloadAnnotated>('GET /data/{ticket}/annotated', input));
            }}
          >
            {originalName}
          </Button>
        </>
      )}
      <p className={typography.dim}>
        {running !== null && received > 0 ? m.data_received({ size: formatBytes(received) }) : ''}
      </p>
    </Dialog>
  );
}
