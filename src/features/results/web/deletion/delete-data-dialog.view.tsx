import { useQuery, useQueryClient } from '@tanstack/react-query';
import { deleteUploadedRows } from '#features/imports/web/imports.api.ts';
import type { deleteResults as remove } from '#features/results/results.contract.ts';
import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import type { Ticket } from '#features/tickets/tickets.contract.ts';
import { countRows, ticketQuery, ticketsKey } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { describeFailure } from '#web/client/failure.ts';
import { formatNumber } from '#web/format/format.ts';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { describeDeleted } from './deleted-data.ts';
import './deletion-facts.css';

type Props = {
  /** The ticket shown when the dialog was opened; the screen below may show another one by now. */
  ticketNumber: string;
  /** The data that the screen shows, which Delete All deletes. */
  what: Deletable;
  onClose: () => void;
};

const deleteResults = (ticket_number: string) =>
  call<typeof remove>('DELETE /imei/{ticket_number}', { params: { ticket_number } });

/**
 * Asks before a ticket's results or uploaded rows are deleted, and names the consequences. Results alone cannot be
 * deleted while the ticket runs; then it offers to stop the ticket and delete everything.
 */
export default function DeleteDataDialog({ ticketNumber, what, onClose }: Props) {
  const queries = useQueryClient();
  const { data: ticket, error } = useQuery(ticketQuery(ticketNumber));
  const stops = what === 'results' && ticket !== undefined && isRunning(ticket);

  const remove = async (...deletions: ((ticketNumber: string) => Promise<unknown>)[]) => {
    try {
      for (const deletion of deletions) await deletion(ticketNumber);
    } finally {
      // Also after a refusal, which means that the screen is outdated.
      void queries.invalidateQueries({ queryKey: ticketsKey });
    }
    const left = await queries.fetchQuery(ticketQuery(ticketNumber)).catch(() => undefined);
    toast.success((left && describeDeleted(left.ticket)) ?? m.data_deleted());
  };
  return (
    <ConfirmDialog
      title={m.data_delete_title({ ticket: ticketNumber })}
      text={m.data_delete_text()}
      counts={
        <>
          {stops && <Banner tone="warning">{m.data_delete_refused()}</Banner>}
          <DeletionFacts ticket={ticket} error={error} what={stops ? 'everything' : what} />
        </>
      }
      confirmLabel={m.data_delete_all()}
      busyLabel={m.common_deleting()}
      fallback={m.data_delete_failed()}
      onConfirm={() => remove(what === 'results' ? deleteResults : deleteUploadedRows)}
      {...(stops && {
        other: { label: m.data_stop_delete(), onConfirm: () => remove(deleteUploadedRows, deleteResults) },
      })}
      onClose={onClose}
    />
  );
}

type Deletable = 'results' | 'uploaded';

type FactsProps = { ticket: Ticket | undefined; error: unknown; what: Deletable | 'everything' };

function DeletionFacts({ ticket, error, what }: FactsProps) {
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

function count(ticket: Ticket, what: FactsProps['what']): { deleted: string; kept: string | null } {
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
