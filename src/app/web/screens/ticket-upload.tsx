import { type ReactNode, useState } from 'react';
import { UploadedRows } from '#features/imports/web/uploaded-rows.view.tsx';
import DeleteDataDialog from '#features/results/web/deletion/delete-data-dialog.view.tsx';

type Props = {
  ticketNumber: string;
  selector?: ReactNode;
  /** A page or a selection puts the ticket into the address. */
  namesTicket?: boolean;
};

/** The rows of one ticket as they were uploaded, with their deletion. */
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
        <DeleteDataDialog ticketNumber={ticketNumber} what="uploaded" onClose={() => setDeleting(false)} />
      )}
    </>
  );
}
