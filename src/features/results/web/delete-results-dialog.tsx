import { m } from '#shared/texts/messages.js';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import { deleteResults } from './results.api.ts';

type Props = { ticketNumber: string; count: number; onDeleted: () => void; onClose: () => void };

/** Asks before all results of a ticket are deleted. */
export function DeleteResultsDialog({ ticketNumber, count, onDeleted, onClose }: Props) {
  return (
    <ConfirmDialog
      title={m.data_delete_title()}
      text={m.data_delete_text()}
      counts={m.data_delete_counts({ count, ticket: ticketNumber })}
      confirmLabel={m.data_delete_all()}
      busyLabel={m.common_deleting()}
      fallback={m.data_delete_failed()}
      onConfirm={async () => {
        await deleteResults(ticketNumber);
        toast.success(m.data_deleted());
        onDeleted();
      }}
      onClose={onClose}
    />
  );
}
