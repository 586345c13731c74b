import type { cancelTicket, Ticket } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { useAnnounceSuccess } from '#web/client/use-act.ts';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { nameNumbered } from '../name-ticket.view.ts';
import { countTicketRows, ticketsKey } from '../tickets.api.ts';

type Props = {
  ticket: Ticket;
  /** The label of the button that opened the dialog. */
  label: string;
  onClose: () => void;
};

/** Asks before a ticket is cancelled. Its results stay, and stay billed. */
export default function CancelTicketDialog({ ticket, label, onClose }: Props) {
  const announceSuccess = useAnnounceSuccess(ticketsKey);
  const named = { ticket: nameNumbered(ticket) };
  return (
    <ConfirmDialog
      title={m.tickets_cancel_title(named)}
      text={countTicketRows(ticket).uploaded > 0 ? m.tickets_cancel_text() : m.tickets_cancel_empty_text()}
      confirmLabel={label}
      busyLabel={m.tickets_cancelling()}
      dismissLabel={m.tickets_keep()}
      fallback={m.tickets_cancel_failed()}
      onConfirm={async () => {
        await call<typeof cancelTicket>('POST /tickets/{id}/cancel', { params: { id: ticket._id } });
        await announceSuccess(m.tickets_cancelled(named));
      }}
      onClose={onClose}
    />
  );
}
