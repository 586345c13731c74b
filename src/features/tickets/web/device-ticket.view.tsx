import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { findTickets } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { read } from '#web/client/read.ts';
import typography from '#web/styles/typography.module.css';
import { TicketLink } from './ticket-name.view.tsx';
import { ticketsKey } from './tickets.api.ts';

type Props = { deviceId: string; number: string };

/** A ticket of a device as the way to its page, and who uploaded it. A deleted ticket has only its number. */
export function DeviceTicket({ deviceId, number }: Props) {
  const { data } = useQuery(
    read<typeof findTickets>(ticketsKey, 'GET /tickets/find', {
      query: { device_id: Number(deviceId), limit: 1000 },
    }),
  );
  const ticket = data?.data.find(({ ticket_number }) => ticket_number === number);
  if (ticket) {
    return (
      <>
        <TicketLink ticket={ticket} /> <span className={typography.dim}>{ticket.uploaded_by?.name}</span>
      </>
    );
  }
  return <Link to={paths.ticketOf(number)}>{m.tickets_number({ number })}</Link>;
}
