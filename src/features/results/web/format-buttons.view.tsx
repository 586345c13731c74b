import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { m } from '#shared/texts/messages.js';
import { formatBytes } from '#web/format/format.ts';
import typography from '#web/styles/typography.module.css';
import { type DownloadFormat, useResultsDownload } from './results.api.ts';

/** Two buttons that download all results of a ticket, one per format. */
export function FormatButtons({ ticketNumber, disabled }: { ticketNumber: string; disabled: boolean }) {
  const { running, received, saveResults } = useResultsDownload();
  const button = (format: DownloadFormat, label: string) => (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden="true" />}
      disabled={disabled || running !== null}
      aria-busy={running === format}
      onClick={() => saveResults(ticketNumber, format)}
    >
      {running === format ? m.data_tracker_downloading() : label}
    </Button>
  );
  return (
    <>
      {button('excel', m.data_format_excel())}
      {button('json', m.data_format_json())}
      <span className={typography.dim}>
        {running !== null && received > 0 ? m.data_received({ size: formatBytes(received) }) : ''}
      </span>
    </>
  );
}
