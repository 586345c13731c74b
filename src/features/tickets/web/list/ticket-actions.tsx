import { IconArrowsDiff, IconBan, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { ForgetDevices } from '#features/devices/web/forget-devices.view.tsx';
import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import type { deleteTicket, Ticket } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { call } from '#web/client/api-client.ts';
import { formatNumber } from '#web/format/format.ts';
import { toast } from '#web/ui/feedback/toast.tsx';
import type { Action } from '#web/ui/overlay/action-menu.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { TicketEditDialog } from '../form/ticket-edit-dialog.tsx';
import { nameNumbered } from '../name-ticket.view.ts';
import { explainNoDelete, explainNoEdit, explainNoRetry } from '../ticket-rules.view.ts';
import { countTicketRows, ticketQuery, ticketsKey } from '../tickets.api.ts';
import { useRetry } from '../use-retry.view.ts';
import CancelTicketDialog from './cancel-ticket-dialog.tsx';

type OpenDialog = { what: 'edit' | 'delete' | 'cancel'; ticket: Ticket };

export type TicketActions = Record<
  'edit' | 'delete' | 'cancel' | 'retry' | 'compare',
  (ticket: Ticket) => void
> & {
  retrying: ReadonlySet<string>;
  reload: () => Promise<unknown>;
  dialog: ReactNode;
};

export function useTicketActions(): TicketActions {
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const queries = useQueryClient();
  const reload = () => queries.invalidateQueries({ queryKey: ticketsKey });

  const { retry, retrying } = useRetry();
  const navigate = useNavigate();

  return {
    edit: (ticket) => setOpen({ what: 'edit', ticket }),
    delete: (ticket) => setOpen({ what: 'delete', ticket }),
    cancel: (ticket) => setOpen({ what: 'cancel', ticket }),
    retry,
    compare: (ticket) => navigate(paths.compareOf(ticket.ticket_number)),
    retrying,
    reload,
    dialog: open && drawDialog(open, reload, () => setOpen(null)),
  };
}

function describeActions(ticket: Ticket, actions: TicketActions) {
  return {
    edit: {
      label: m.common_edit(),
      icon: IconPencil,
      reason: explainNoEdit(ticket),
      onSelect: () => actions.edit(ticket),
    },
    cancel: { label: m.tickets_cancel(), icon: IconBan, onSelect: () => actions.cancel(ticket) },
    retry: {
      label: m.tickets_retry(),
      icon: IconRefresh,
      reason: explainNoRetry(ticket),
      onSelect: () => actions.retry(ticket),
    },
    compare: { label: m.data_compare(), icon: IconArrowsDiff, onSelect: () => actions.compare(ticket) },
    remove: {
      label: m.common_delete(),
      icon: IconTrash,
      danger: true,
      reason: explainNoDelete(ticket),
      onSelect: () => actions.delete(ticket),
    },
  };
}

export function listActions(ticket: Ticket, actions: TicketActions): Action[] {
  const { edit, cancel, retry, compare, remove } = describeActions(ticket, actions);
  return [edit, isRunning(ticket) ? cancel : retry, compare, remove];
}

export function listFurtherActions(ticket: Ticket, actions: TicketActions): Action[] {
  const { retry, compare } = describeActions(ticket, actions);
  return isRunning(ticket) || retry.reason === null ? [compare] : [retry, compare];
}

function drawDialog({ what, ticket }: OpenDialog, reload: () => Promise<unknown>, onClose: () => void) {
  if (what === 'edit') return <TicketEditDialog ticket={ticket} onSaved={reload} onClose={onClose} />;
  if (what === 'delete') return <DeleteTicketDialog ticket={ticket} onDeleted={reload} onClose={onClose} />;
  return <CancelTicketDialog ticket={ticket} label={m.tickets_cancel()} onClose={onClose} />;
}

type DeletionProps = { ticket: Ticket; onDeleted: () => Promise<unknown>; onClose: () => void };

/** Asks before a ticket is deleted, and says how many rows it has now. */
function DeleteTicketDialog({ ticket: opened, onDeleted, onClose }: DeletionProps) {
  const queries = useQueryClient();
  // Under a key of its own: read again with all tickets after the deletion, it would be missing.
  const { data: ticket = opened } = useQuery({
    ...ticketQuery(opened.ticket_number),
    queryKey: ['ticket-to-delete', opened.ticket_number],
  });
  const [forgetDevices, setForgetDevices] = useState(false);
  const named = { ticket: nameNumbered(ticket) };
  const { uploaded, results } = countTicketRows(ticket);
  return (
    <ConfirmDialog
      title={m.tickets_delete_title(named)}
      text={m.tickets_delete_text()}
      counts={
        uploaded + results === 0
          ? m.tickets_delete_empty()
          : m.tickets_delete_counts({
              rows: m.data_delete_both({
                uploaded: m.data_count_uploaded({ count: uploaded, number: formatNumber(uploaded) }),
                results: m.data_count_results({ count: results, number: formatNumber(results) }),
              }),
            })
      }
      option={ticket.imported && <ForgetDevices checked={forgetDevices} onChange={setForgetDevices} />}
      confirmLabel={m.tickets_delete_confirm()}
      busyLabel={m.common_deleting()}
      fallback={m.tickets_delete_failed()}
      onConfirm={async () => {
        await call<typeof deleteTicket>('DELETE /tickets/{id}', {
          params: { id: ticket._id },
          query: { forget_devices: forgetDevices || undefined },
        });
        toast.success(m.tickets_deleted(named));
        void queries.invalidateQueries({ queryKey: ['devices'] });
        await onDeleted();
      }}
      onClose={onClose}
    />
  );
}
