import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { importSummaryQuery } from '#features/imports/web/imports.api.ts';
import { ImportReportButton } from '#features/imports/web/report/import-report-button.view.tsx';
import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import type { TicketMatch } from '#features/tickets/tickets.contract.ts';
import { nameTicket } from '#features/tickets/web/name-ticket.view.ts';
import { WaitingLine } from '#features/tickets/web/page/waiting.view.tsx';
import { StopTicket } from '#features/tickets/web/stop-ticket.view.tsx';
import { barOf, TicketBadge } from '#features/tickets/web/ticket-badge.view.tsx';
import { progressQuery, ticketQuery } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { describeFailure } from '#web/client/failure.ts';
import { formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { PartNotRead } from '#web/ui/feedback/part-not-read.tsx';
import panels from '#web/ui/layout/panel.module.css';
import { describeDeleted } from '../deletion/deleted-data.ts';
import styles from './ticket-line.module.css';

type Props = {
  ticketNumber: string;
  selector: ReactNode;
};

export function TicketLine({ ticketNumber, selector }: Props) {
  const read = useQuery({ ...ticketQuery(ticketNumber), enabled: ticketNumber !== '' });
  const ticket = read.data;
  const progressRead = useQuery({
    ...progressQuery(ticketNumber),
    enabled: ticket !== undefined && isRunning(ticket),
  });
  const progress = progressRead.data;
  const deleted = ticket && describeDeleted(ticket);
  const waits = ticket && isRunning(ticket) && progress?.waiting_reason;
  return (
    <section className={`${panels.panel} ${styles.ticketLine}`} aria-label={m.data_current_ticket()}>
      <div className={styles.ticketLineFile}>{selector || (ticket && <TicketNamed ticket={ticket} />)}</div>
      <dl>
        <div>
          <dt>{m.data_ticket_number()}</dt>
          <dd>{ticketNumber}</dd>
        </div>
        <div>
          <dt>{m.data_status()}</dt>
          <dd>{ticket && <TicketBadge status={ticket.status} />}</dd>
        </div>
        <div>
          <dt>{m.data_total_records()}</dt>
          <dd>{ticket && formatNumber(ticket.total)}</dd>
        </div>
        <div>
          <dt>{m.data_tracker_completion()}</dt>
          <dd>{ticket && `${barOf(ticket).percent}%`}</dd>
        </div>
      </dl>
      <PartNotRead read={read} name={m.data_ticket()} />
      <PartNotRead read={progressRead} name={m.data_tracker_progress()} />
      {ticket?.imported !== false && !ticket?.serial_deleted && (
        <ImportSummary ticketNumber={ticket?.ticket_number ?? ''} />
      )}
      <div className={`${layout.row} ${styles.tools}`}>
        {ticket && <StopTicket ticketNumber={ticketNumber} />}
        <Link to={paths.trackerOf(ticketNumber)}>{m.data_open_tracker()}</Link>
      </div>
      {waits && progress && (
        <p>
          <WaitingLine ticket={progress} />
        </p>
      )}
      {deleted && <p className={typography.dim}>{deleted}</p>}
    </section>
  );
}

function TicketNamed({ ticket }: { ticket: TicketMatch }) {
  return (
    <>
      <strong>{nameTicket(ticket)}</strong> <span className={typography.dim}>{ticket.uploaded_by?.name}</span>
    </>
  );
}

/**
 * The counts of a ticket's sheet, with the list of the cells that were left out or are not valid. It keeps its room while
 * it loads.
 */
function ImportSummary({ ticketNumber }: { ticketNumber: string }) {
  const { data: summary, error } = useQuery({
    ...importSummaryQuery(ticketNumber),
    enabled: ticketNumber !== '',
  });
  if (summary === undefined) {
    return (
      <p className={styles.importSummary} role={error === null ? undefined : 'alert'}>
        {error !== null && describeFailure(error, m.common_fetch_failed())}
      </p>
    );
  }
  const { valid_count: valid, invalid_count: invalid, duplicate_count: duplicates } = summary;
  const knownCount = summary.known_count;
  const parts = [
    m.data_import_valid({ number: formatNumber(valid) }),
    ...(knownCount > 0 ? [m.data_import_known({ number: formatNumber(knownCount) })] : []),
    m.data_import_not_valid({ number: formatNumber(invalid) }),
    m.data_import_duplicates({ count: duplicates, number: formatNumber(duplicates) }),
  ];
  return (
    <section className={styles.importSummary} aria-label={m.data_import()}>
      <span>{parts.join(' · ')}</span>
      {invalid + duplicates > 0 && <ImportReportButton ticketNumber={ticketNumber} size="compact-sm" />}
      {summary.header_skipped && <span className={typography.dim}>{m.data_import_header()}</span>}
    </section>
  );
}
