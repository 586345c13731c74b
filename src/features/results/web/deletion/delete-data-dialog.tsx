import { Radio } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ForgetDevices } from '#features/devices/web/forget-devices.view.tsx';
import { deleteUploadedRows } from '#features/imports/web/imports.api.ts';
import type { deleteResults as remove } from '#features/results/results.contract.ts';
import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import type { Ticket } from '#features/tickets/tickets.contract.ts';
import { nameNumbered } from '#features/tickets/web/name-ticket.view.ts';
import { countTicketRows, ticketQuery, ticketsKey } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { describeFailure } from '#web/client/failure.ts';
import { formatNumber } from '#web/format/format.ts';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { describeDeleted } from './deleted-data.ts';
import '@mantine/core/styles/Radio.layer.css';
import layout from '#web/styles/layout.module.css';
import styles from './deletion-facts.module.css';

/** The two halves of a ticket's data, or both. */
type Deletable = 'everything' | 'uploaded' | 'results';

type Props = {
  /** The ticket shown when the dialog was opened; the screen below may show another one by now. */
  ticketNumber: string;
  /** The half that the screen shows. */
  what: 'uploaded' | 'results';
  onClose: () => void;
};

const deleteResults = (ticket_number: string, forgetDevices: boolean) =>
  call<typeof remove>('DELETE /imei/{ticket_number}', {
    params: { ticket_number },
    query: { forget_devices: forgetDevices || undefined },
  });

/** In this order, a ticket that runs refuses the deletion before anything is deleted. */
const deletions = {
  everything: [deleteResults, deleteUploadedRows],
  uploaded: [deleteUploadedRows],
  results: [deleteResults],
};

/**
 * Asks which data of a ticket to delete, and names the consequences. Results cannot be deleted while the ticket runs; then
 * it offers to stop the ticket and delete everything.
 */
export default function DeleteDataDialog({ ticketNumber, what, onClose }: Props) {
  const queries = useQueryClient();
  const { data: ticket, error } = useQuery(ticketQuery(ticketNumber));
  const [chosen, setChosen] = useState<Deletable | null>(null);
  const [forgetDevices, setForgetDevices] = useState(false);
  /** The number of steps of the last attempt. After its first step, fewer choices are left. */
  const [stepCount, setStepCount] = useState(1);
  const runs = ticket !== undefined && isRunning(ticket);
  const choices = ticket === undefined ? [what] : listChoices(ticket);
  // Deleting the uploaded rows stops a ticket that runs, and keeps its results. They are kept, too, if it ends before.
  if (chosen === null && ticket !== undefined) setChosen(runs && what === 'uploaded' ? what : 'everything');
  // Never more than was chosen. The server refuses a half that cannot be deleted any more.
  const choice = (chosen === 'everything' ? choices[0] : chosen) ?? what;
  const stops = runs && choice === 'everything';

  const remove = async (steps: (typeof deleteResults)[]) => {
    setStepCount(steps.length);
    try {
      for (const step of steps) await step(ticketNumber, forgetDevices);
    } finally {
      // Also after a refusal, which means that the screen is outdated.
      void queries.invalidateQueries({ queryKey: ticketsKey });
      void queries.invalidateQueries({ queryKey: ['devices'] });
    }
    const left = await queries.fetchQuery(ticketQuery(ticketNumber)).catch(() => undefined);
    toast.success((left && describeDeleted(left.ticket)) ?? m.data_deleted());
  };
  return (
    <ConfirmDialog
      title={m.data_delete_title({ ticket: ticket ? nameNumbered(ticket) : `#${ticketNumber}` })}
      text={m.data_delete_text()}
      counts={
        <>
          {stops && <Banner tone="warning">{m.data_delete_refused()}</Banner>}
          {ticket === undefined ? (
            <p>{error ? describeFailure(error, m.common_fetch_failed()) : m.common_loading()}</p>
          ) : (
            <DeletionFacts ticket={ticket} choice={choice} choices={choices} onChoose={setChosen} />
          )}
        </>
      }
      option={<ForgetDevices checked={forgetDevices} onChange={setForgetDevices} />}
      confirmLabel={m.data_delete_all()}
      busyLabel={m.common_deleting()}
      fallback={stepCount > 1 ? m.data_delete_part_failed() : m.data_delete_failed()}
      onConfirm={() => remove(deletions[choice])}
      {...(stops && {
        other: {
          label: m.data_stop_delete(),
          onConfirm: () => remove([deleteUploadedRows, deleteResults]),
        },
      })}
      onClose={onClose}
    />
  );
}

function listChoices(ticket: Ticket): readonly Deletable[] {
  if (ticket.coverage_deleted) return ['uploaded'];
  if (ticket.serial_deleted || !ticket.imported) return ['results'];
  return isRunning(ticket) ? ['everything', 'uploaded'] : ['everything', 'uploaded', 'results'];
}

type FactsProps = {
  ticket: Ticket;
  choice: Deletable;
  choices: readonly Deletable[];
  onChoose: (choice: Deletable) => void;
};

function DeletionFacts({ ticket, choice, choices, onChoose }: FactsProps) {
  return (
    <dl className={styles.deletionFacts}>
      {isRunning(ticket) && (
        <div>
          <dt>{m.data_delete_stopped()}</dt>
          <dd>{m.data_delete_processing({ ticket: nameNumbered(ticket) })}</dd>
        </div>
      )}
      <div>
        <dt>{m.data_delete_deleted()}</dt>
        <dd className={layout.tightStack}>
          {choices.length === 1
            ? describeRows(ticket, choice)
            : choices.map((offered) => (
                <Radio
                  key={offered}
                  name="deleted"
                  label={describeRows(ticket, offered)}
                  checked={offered === choice}
                  onChange={() => onChoose(offered)}
                />
              ))}
        </dd>
      </div>
      <div>
        <dt>{m.data_delete_kept()}</dt>
        <dd>{describeKept(ticket, choice)}</dd>
      </div>
    </dl>
  );
}

function describeRows(ticket: Ticket, choice: Deletable): string {
  const { uploaded, results } = countTicketRows(ticket);
  const uploadedText = m.data_count_uploaded({ count: uploaded, number: formatNumber(uploaded) });
  const resultsText = m.data_count_results({ count: results, number: formatNumber(results) });
  if (choice === 'results') return resultsText;
  if (choice === 'everything') return m.data_delete_both({ uploaded: uploadedText, results: resultsText });
  const { remaining } = ticket;
  if (remaining === 0) return uploadedText;
  return m.data_delete_unfinished({ uploaded: uploadedText, number: formatNumber(remaining) });
}

/** The half that is not deleted, if it has rows, and the data that always stay. */
function describeKept(ticket: Ticket, choice: Deletable): string {
  const kept = choice === 'results' ? 'uploaded' : 'results';
  return choice === 'everything' || countTicketRows(ticket)[kept] === 0
    ? m.data_delete_keeps_ticket()
    : m.data_delete_keeps({ rows: describeRows(ticket, kept) });
}
