import { type ReactNode, useState } from 'react';
import { UploadedRows } from '#features/imports/web/uploaded-rows.view.tsx';
import { DeleteDataDialog } from '#features/results/web/deletion/delete-data-dialog.view.tsx';

type Props = { ticketNumber: string; selector?: ReactNode };

/** The rows of one ticket as they were uploaded, with their deletion. */
export function TicketUpload({ ticketNumber, selector = null }: Props) {
  const [deleting, setDeleting] = useState(false);
  return (
    <>
      <UploadedRows ticket={ticketNumber} selector={selector} onDelete={() => setDeleting(true)} />
      {deleting && (
        <DeleteDataDialog ticketNumber={ticketNumber} what="uploaded" onClose={() => setDeleting(false)} />
      )}
    </>
  );
}
