import { type ReactNode, useState } from 'react';
import { UploadedRows } from '#features/imports/web/uploaded-rows.view.tsx';
import { OverlayOnDemand } from '#web/shell/pages/on-demand.tsx';

const loadDeletion = () => import('#features/results/web/deletion/delete-data-dialog.view.tsx');

type Props = {
  ticketNumber: string;
  selector?: ReactNode;
  /** A page or a selection puts the ticket into the address. */
  namesTicket?: boolean;
};

export function TicketUpload({ ticketNumber, selector = null, namesTicket = false }: Props) {
  const [deleting, setDeleting] = useState(false);
  return (
    <>
      <UploadedRows
        ticket={ticketNumber}
        selector={selector}
        namesTicket={namesTicket}
        onDelete={() => setDeleting(true)}
      />
      {deleting && (
        <OverlayOnDemand
          load={loadDeletion}
          props={{ ticketNumber, what: 'uploaded', onClose: () => setDeleting(false) }}
        />
      )}
    </>
  );
}
