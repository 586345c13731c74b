import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { addressOfFailed } from '#features/results/web/row-addresses.view.ts';
import { nameTicket } from '#features/tickets/web/name-ticket.view.ts';
import { TicketName } from '#features/tickets/web/ticket-name.view.tsx';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { useUser } from '#web/client/session.ts';
import { formatDay, formatMonth, formatNumber, formatRupiah } from '#web/format/format.ts';
import typography from '#web/styles/typography.module.css';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { type Figure, figureQuery } from '../home.api.ts';
import styles from './figure-dialog.module.css';

type Props = { figure: Figure; period: string; onClose: () => void };

/** The tickets that a figure of Home is added up from, each with the way to the rows that it counts. */
export function FigureDialog({ figure, period, onClose }: Props) {
  const { superadmin } = useUser();
  const read = useQuery(figureQuery(figure, period));
  return (
    <Dialog title={m.home_by_ticket({ figure: nameFigure(figure, period) })} onClose={onClose}>
      <ReadState read={read}>
        {(answer) =>
          answer === undefined ? (
            <Skeleton height={120} />
          ) : answer.data.length === 0 ? (
            <p className={typography.dim}>{m.home_figure_none()}</p>
          ) : (
            <>
              <ul className={styles.figureTickets}>
                {answer.data.map((ticket) => (
                  <li key={ticket.ticket_number}>
                    <Link to={findRows(figure, ticket.ticket_number, superadmin)}>
                      <TicketName ticket={ticket}>
                        <strong>{nameTicket(ticket)}</strong>
                      </TicketName>
                      <span className={typography.dim}>{superadmin && ticket.company_code}</span>
                      <span className={typography.tabular}>
                        {figure === 'revenue' ? formatRupiah(ticket.value) : formatNumber(ticket.value)}
                      </span>
                    </Link>
                  </li>
                ))}
              </ul>
              {answer.tickets > answer.data.length && (
                <p className={typography.dim}>
                  {m.home_figure_most({
                    shown: formatNumber(answer.data.length),
                    all: formatNumber(answer.tickets),
                  })}
                </p>
              )}
            </>
          )
        }
      </ReadState>
    </Dialog>
  );
}

function nameFigure(figure: Figure, period: string): string {
  switch (figure) {
    case 'failed':
      return m.data_failed();
    case 'processed':
      return m.home_processed_on({ day: formatDay(period) });
    case 'revenue':
      return m.home_revenue_of({ month: formatMonth(period) });
  }
}

function findRows(figure: Figure, ticket: string, superadmin: boolean): string {
  switch (figure) {
    case 'failed':
      return addressOfFailed(superadmin, ticket);
    case 'processed':
      return paths.viewOf(ticket, 'history');
    case 'revenue':
      return paths.viewOf(ticket, 'price');
  }
}
