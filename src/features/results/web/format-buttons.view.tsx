import { m } from '#shared/texts/messages.js';
import { SaveButtons } from '#web/ui/action/save-buttons.tsx';
import { resultsFile } from './results.api.ts';

/** Two buttons that download all results of a ticket, one per format. */
export function FormatButtons({ ticketNumber, disabled }: { ticketNumber: string; disabled: boolean }) {
  return (
    <SaveButtons
      texts={{ saved: m.data_downloaded(), failed: m.data_download_failed() }}
      disabled={disabled}
      fileOf={(format) => resultsFile(ticketNumber, format)}
    />
  );
}
