import { useState } from 'react';
import { UploadedRows } from '#features/imports/web/uploaded-rows.view.tsx';
import { DeleteDataDialog } from '#features/results/web/deletion/delete-data-dialog.view.tsx';

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
