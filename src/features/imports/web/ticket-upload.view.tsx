import { useState } from 'react';
import { DeleteDataDialog } from '#features/results/web/delete-data-dialog.view.tsx';
import { UploadedRows } from './uploaded-rows.tsx';

/** The rows of one ticket as they were uploaded, with their deletion. */
export function TicketUpload({ ticketNumber }: { ticketNumber: string }) {
  const [deleting, setDeleting] = useState(false);
  return (
    <>
      <UploadedRows ticket={ticketNumber} selector={null} onDelete={() => setDeleting(true)} />
      {deleting && (
        <DeleteDataDialog ticketNumber={ticketNumber} what="uploaded" onClose={() => setDeleting(false)} />
      )}
    </>
  );
}
