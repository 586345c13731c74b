import { IconDownload } from '@tabler/icons-react';
import { useCallback } from 'react';
import { isEmpty } from '#features/results/web/deletion/deleted-data.ts';
import { resultsFile } from '#features/results/web/results.api.ts';
import type { TicketMatch } from '#features/tickets/tickets.contract.ts';
import { nameTicket } from '#features/tickets/web/name-ticket.view.ts';
import { Uploads } from '#features/tickets/web/uploads/uploads.tsx';
import { m } from '#shared/texts/messages.js';
import { useDownload } from '#web/client/use-download.ts';
import buttons from '#web/styles/buttons.module.css';

/** Uploads: the tickets of the user's company, with their results as Excel files. */
export function UploadsPage() {
  const { running, save } = useDownload<string>({
    texts: { saved: m.data_downloaded(), failed: m.data_download_failed(), left: m.data_download_left() },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `save` only leads to the present state.
  const drawDownload = useCallback(
    (ticket: TicketMatch) => {
      const { ticket_number: number } = ticket;
      return (
        <button
          type="button"
          className={buttons.iconButton}
          aria-label={m.tickets_uploads_download({ name: nameTicket(ticket) })}
          title={m.data_format_excel()}
          aria-busy={running === number}
          disabled={running !== null || isEmpty(ticket)}
          onClick={() => void save(number, resultsFile(number, 'excel'))}
        >
          <IconDownload size={16} aria-hidden="true" />
        </button>
      );
    },
    [running],
  );
  return <Uploads drawDownload={drawDownload} />;
}
