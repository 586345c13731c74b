import { Button, type ButtonProps } from '@mantine/core';
import type { downloadReport } from '#features/imports/imports.contract.ts';
import { m } from '#shared/texts/messages.js';
import { fileOf } from '#web/client/download.ts';
import { useDownload } from '#web/client/use-download.ts';

type Props = { ticketNumber: string } & Pick<ButtonProps, 'size' | 'leftSection'>;

export function ImportReportButton({ ticketNumber, ...look }: Props) {
  const { running, save } = useDownload<'report'>({
    texts: { saved: m.data_downloaded(), failed: m.data_download_failed(), left: m.data_download_left() },
  });
  const isBusy = running !== null;
  return (
    <Button
      {...look}
      variant="default"
      disabled={isBusy}
      aria-busy={isBusy}
      onClick={() =>
        save(
          'report',
          fileOf<typeof downloadReport>('GET /data/{ticket}/report', { params: { ticket: ticketNumber } }),
        )
      }
    >
      {m.data_upload_report()}
    </Button>
  );
}
