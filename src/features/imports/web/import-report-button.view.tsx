import { Button, type ButtonProps } from '@mantine/core';
import { m } from '#shared/texts/messages.js';
import { useSubmit } from '#web/client/submit.ts';
import { toast } from '#web/ui/feedback/toast.tsx';
import { downloadImportReport } from './imports.api.ts';

type Props = { ticketNumber: string } & Pick<ButtonProps, 'size' | 'leftSection'>;

/** Saves the list of what an import left out or cannot look up. */
export function ImportReportButton({ ticketNumber, ...look }: Props) {
  const { busy, submit } = useSubmit({
    send: () => downloadImportReport(ticketNumber),
    fallback: m.data_download_failed(),
    tell: toast.error,
  });
  return (
    <Button {...look} variant="default" disabled={busy} aria-busy={busy} onClick={submit}>
      {m.data_upload_report()}
    </Button>
  );
}
