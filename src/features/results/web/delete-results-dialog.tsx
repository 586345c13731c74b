import type { Ticket } from '#features/tickets/tickets.contract.ts';
import { countRows } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import { deleteResults } from './results.api.ts';

type Props = { ticket: Ticket; onDeleted: () => void; onClose: () => void };

/** Asks before all results of a ticket are deleted. */
export function DeleteResultsDialog({ ticket, onDeleted, onClose }: Props) {
  const { ticket_number: ticketNumber } = ticket;
  const count = countRows(ticket);
  return (
    <ConfirmDialog
      title={m.data_delete_title()}
      text={m.data_delete_text()}
      counts={m.data_delete_counts({ count, number: formatNumber(count), ticket: ticketNumber })}
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
