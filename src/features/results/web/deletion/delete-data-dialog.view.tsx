import { useQuery, useQueryClient } from '@tanstack/react-query';
import { deleteUploadedRows } from '#features/imports/web/imports.api.ts';
import type { deleteResults as remove } from '#features/results/results.contract.ts';
import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import { ticketQuery, ticketsKey } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { describeDeleted } from './deleted-data.ts';
import { type Deletable, DeletionFacts } from './deletion-facts.tsx';

type Props = {
  /** Of the moment when the dialog was opened: which ticket the screen shows may change below it. */
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
