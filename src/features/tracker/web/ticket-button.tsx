import type { Progress } from '#features/tickets/tickets.contract.ts';
import { nameTicket } from '#features/tickets/web/name-ticket.view.ts';
import { TicketName } from '#features/tickets/web/ticket-name.view.tsx';
import { passFocusOn } from '#web/ui/overlay/move-focus.ts';
import styles from './ticket-button.module.css';

type Props = { ticket: Progress; onSelect: (ticket: string) => void };

/** The name of a ticket, which selects it in the tracker. */
export function TicketButton({ ticket, onSelect }: Props) {
  return (
    <TicketName ticket={ticket}>
      <button
        ref={passFocusOn}
        type="button"
        className={styles.ticketButton}
        onClick={() => onSelect(ticket.ticket_number)}
      >
        {nameTicket(ticket)}
      </button>
    </TicketName>
  );
}
