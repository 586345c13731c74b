import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import type { Ticket } from '#features/tickets/tickets.contract.ts';
import { countRows } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { describeFailure } from '#web/client/failure.ts';
import { formatNumber } from '#web/format/format.ts';
import './deletion-facts.css';

export type Deletable = 'results' | 'uploaded';

type Props = { ticket: Ticket | undefined; error: unknown; what: Deletable | 'everything' };

/** The consequences of a deletion: the lookups it stops, the rows it deletes and keeps. */
export function DeletionFacts({ ticket, error, what }: Props) {
  if (ticket === undefined) {
    return (
      <p className="dim">{error ? describeFailure(error, m.common_fetch_failed()) : m.common_loading()}</p>
    );
  }
  const { deleted, kept } = count(ticket, what);
  return (
    <dl className="deletion-facts">
      {what !== 'results' && isRunning(ticket) && (
        <div>
          <dt>{m.data_delete_stopped()}</dt>
          <dd>{m.data_delete_processing({ ticket: ticket.ticket_number })}</dd>
        </div>
      )}
      <div>
        <dt>{m.data_delete_deleted()}</dt>
        <dd>{deleted}</dd>
      </div>
      <div>
        <dt>{m.data_delete_kept()}</dt>
        <dd>{kept === null ? m.data_delete_keeps_ticket() : m.data_delete_keeps({ rows: kept })}</dd>
      </div>
    </dl>
  );
}

/** Describes the deleted and kept rows of a ticket; null if there are none. */
function count(ticket: Ticket, what: Props['what']): { deleted: string; kept: string | null } {
  const { uploaded, results } = countRows(ticket);
  const uploadedText = m.data_count_uploaded({ count: uploaded, number: formatNumber(uploaded) });
  const resultsText = m.data_count_results({ count: results, number: formatNumber(results) });
  if (what === 'results') return { deleted: resultsText, kept: uploaded > 0 ? uploadedText : null };
  if (what === 'everything') {
    return { deleted: m.data_delete_both({ uploaded: uploadedText, results: resultsText }), kept: null };
  }
  const { remaining } = ticket;
  return {
    deleted:
      remaining > 0
        ? m.data_delete_unfinished({ uploaded: uploadedText, number: formatNumber(remaining) })
        : uploadedText,
    kept: results > 0 ? resultsText : null,
  };
}
