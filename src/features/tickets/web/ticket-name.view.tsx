import type { ReactNode } from 'react';
import typography from '#web/styles/typography.module.css';
import { type Named, nameTicket } from './name-ticket.view.ts';
import styles from './ticket-name.module.css';

type Props = {
  ticket: Named & { ticket_number: string };
  /** The name as a link or button; by default as text. */
  children?: ReactNode;
};

/** A ticket's name, and in small its number. */
export function TicketName({ ticket, children = <span>{nameTicket(ticket)}</span> }: Props) {
  return (
    <span className={styles.ticketName} title={nameTicket(ticket)}>
      {children} <span className={`${typography.dim} ${typography.tabular}`}>#{ticket.ticket_number}</span>
    </span>
  );
}
