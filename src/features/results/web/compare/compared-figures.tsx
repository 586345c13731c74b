import { Link } from 'react-router';
import type { ComparedTicket } from '#features/results/results.contract.ts';
import type { TicketMatch } from '#features/tickets/tickets.contract.ts';
import { TicketBadge } from '#features/tickets/web/ticket-badge.view.tsx';
import { TicketLink } from '#features/tickets/web/ticket-name.view.tsx';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { formatLongDate, formatNumber, formatRupiah } from '#web/format/format.ts';
import typography from '#web/styles/typography.module.css';
import { ScrollRegion } from '#web/ui/table/scroll-region.tsx';
import { describeDeleted } from '../deletion/deleted-data.ts';
import styles from './compared-figures.module.css';

type Figure = {
  name: () => string;
  /** Null where the rows that it would count were deleted. */
  of: (side: ComparedTicket) => number | null;
  /** The filter that selects the counted rows. */
  rows?: string;
  /** Whether it counts rows without a result. Deleting the uploaded rows deletes these. */
  unfinished?: true;
  /** In rupiah. */
  money?: true;
};

const counted =
  (count: 'activated' | 'unactivated' | 'unknown' | 'ending_30' | 'expired') =>
  ({ ticket, counts }: ComparedTicket) =>
    ticket.coverage_deleted ? null : counts[count];

const figures: readonly Figure[] = [
  { name: m.data_tracker_total_rows, of: ({ ticket }) => ticket.total, rows: '', unfinished: true },
  { name: m.data_tracker_completed, of: ({ ticket }) => ticket.done, rows: 'state=done' },
  { name: m.data_activated, of: counted('activated'), rows: 'activation=activated' },
  { name: m.data_unactivated, of: counted('unactivated'), rows: 'activation=unactivated' },
  { name: m.results_unknown, of: counted('unknown'), rows: 'activation=unknown' },
  { name: m.data_failed, of: ({ ticket }) => ticket.failed, rows: 'state=failed' },
  { name: m.data_pending, of: ({ ticket }) => ticket.remaining, rows: 'state=pending', unfinished: true },
  { name: m.results_ending, of: counted('ending_30'), rows: 'ends_within=30' },
  { name: m.data_expired, of: counted('expired'), rows: 'expired=true' },
  { name: m.data_compare_price, of: ({ ticket }) => ticket.total_amount, money: true },
];

/** The counts and prices of two tickets, line by line. Counts link to their rows. */
export function ComparedFigures({ sides }: { sides: readonly [ComparedTicket, ComparedTicket] }) {
  const [first, second] = sides;
  return (
    <ScrollRegion className={styles.comparedFigures} label={m.data_compare_figures()}>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span className={typography.srOnly}>{m.data_compare_figure()}</span>
            </th>
            {sides.map(({ ticket }) => (
              <th key={ticket.ticket_number} scope="col">
                <TicketHead ticket={ticket} />
              </th>
            ))}
            <th scope="col" className={styles.comparedDifference}>
              {m.data_compare_difference()}
            </th>
          </tr>
        </thead>
        <tbody>
          {figures.map((figure) => (
            <tr key={figure.name()}>
              <th scope="row">{figure.name()}</th>
              {sides.map((side) => (
                <td key={side.ticket.ticket_number}>
                  <Value figure={figure} side={side} />
                </td>
              ))}
              <td className={styles.comparedDifference}>
                {describeDifference(figure, figure.of(first), figure.of(second))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function TicketHead({ ticket }: { ticket: TicketMatch }) {
  const { company_code: code, date, status, uploaded_by: by } = ticket;
  const deleted = describeDeleted(ticket);
  return (
    <div className={styles.comparedTicket}>
      <TicketLink ticket={ticket} />
      <TicketBadge status={status} />
      <span>{[formatLongDate(date), code, by?.name].filter(Boolean).join(' · ')}</span>
      {deleted !== null && <span>{deleted}</span>}
    </div>
  );
}

function Value({ figure, side: { ticket, counts } }: { figure: Figure; side: ComparedTicket }) {
  const value = figure.of({ ticket, counts });
  if (value === null) return '–';
  const words = write(figure, value);
  const isPartGone = figure.unfinished && ticket.serial_deleted && ticket.remaining > 0;
  const hasRows = value > 0 && figure.rows !== undefined && counts.all > 0 && !isPartGone;
  return hasRows ? <Link to={paths.resultsOf(ticket.ticket_number, figure.rows ?? '')}>{words}</Link> : words;
}

const write = ({ money }: Figure, value: number) => (money ? formatRupiah(value) : formatNumber(value));

function describeDifference(figure: Figure, first: number | null, second: number | null): string {
  if (first === null || second === null) return '–';
  const words = write(figure, Math.abs(second - first));
  if (second === first) return words;
  return second > first ? `+${words}` : `−${words}`;
}
