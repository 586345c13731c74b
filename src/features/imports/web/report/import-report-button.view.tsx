import { Button, type ButtonProps } from '@mantine/core';
import { m } from '#shared/texts/messages.js';
import { useDownload } from '#web/client/use-download.ts';
import { downloadImportReport } from '../imports.api.ts';

type Props = { ticketNumber: string } & Pick<ButtonProps, 'size' | 'leftSection'>;

/** Saves the duplicates and invalid cells of an import. */
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
      onClick={() => save('report', (options) => downloadImportReport(ticketNumber, options))}
    >
      {m.data_upload_report()}
    </Button>
  );
}
