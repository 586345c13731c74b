import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { TicketMatch } from '#features/tickets/tickets.contract.ts';
import { paths } from '#web/address/paths.ts';
import typography from '#web/styles/typography.module.css';
import type { NamedTicket } from '../ticket-names.shared.ts';
import { nameTicket } from './name-ticket.view.ts';
import styles from './ticket-name.module.css';

type Props = {
  ticket: NamedTicket & Pick<TicketMatch, 'ticket_number'> & Partial<Pick<TicketMatch, 'uploaded_by'>>;
  /** The name as a link or button; by default as text. */
  children?: ReactNode;
};

/** A ticket's name, and in small its number. A tooltip has the whole name and who uploaded it. */
export function TicketName({ ticket, children = <span>{nameTicket(ticket)}</span> }: Props) {
  const tooltip = [nameTicket(ticket), ticket.uploaded_by?.name].filter(Boolean).join(' · ');
  return (
    <span className={styles.ticketName} title={tooltip}>
      {children} <span className={`${typography.dim} ${typography.tabular}`}>#{ticket.ticket_number}</span>
    </span>
  );
}

/** A ticket's name as the way to its page. */
export function TicketLink({ ticket }: Pick<Props, 'ticket'>) {
  return (
    <TicketName ticket={ticket}>
      <Link to={paths.ticketOf(ticket.ticket_number)}>{nameTicket(ticket)}</Link>
    </TicketName>
  );
}
