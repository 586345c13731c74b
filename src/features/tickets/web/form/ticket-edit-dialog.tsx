import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Ticket, updateTicket } from '#features/tickets/tickets.contract.ts';
import type { Body } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { useStoredForm } from '#web/client/use-stored-form.ts';
import { formatNumber } from '#web/format/format.ts';
import { parseWholeNumber } from '#web/format/whole-number.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { offerUndo } from '#web/ui/action/undo.ts';
import { toast } from '#web/ui/feedback/toast.tsx';
import { WholeNumberField } from '#web/ui/field/whole-number-field.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { nameNumbered } from '../name-ticket.view.ts';
import { previewPrice } from '../page/ticket-price.ts';
import { TicketPricing } from '../page/ticket-pricing.tsx';
import { ticketQuery } from '../tickets.api.ts';
import { acceptDiscount } from './ticket-input.ts';

const largest = 1_000_000_000;

function readOr(before: number, typed: string): number {
  const value = parseWholeNumber(typed);
  return value === null || value > largest ? before : value;
}

type Props = { ticket: Ticket; onSaved: () => Promise<unknown>; onClose: () => void };

export function TicketEditDialog({ ticket: opened, onSaved, onClose }: Props) {
  const [ticket, setTicket] = useState(opened);
  const queries = useQueryClient();
  const { form, follow } = useStoredForm({
    stored: ticket,
    valuesOf,
    reread: async () => {
      const { ticket: stored } = await queries.fetchQuery(ticketQuery(opened.ticket_number));
      setTicket(stored);
      return stored;
    },
  });
  const { discount, current_dollar_price: rate } = form.values;
  const propsOf = (field: keyof typeof form.values) => {
    const now = ticket[field];
    const isTold = now === opened[field] || parseWholeNumber(form.values[field]) === now;
    return {
      ...form.getInputProps(field),
      hint: isTold ? undefined : m.tickets_changed_to({ value: formatNumber(now) }),
    };
  };
  const save = async () => {
    const { data_count, discount: before, current_dollar_price } = ticket;
    const update = (body: Body<typeof updateTicket>) =>
      call<typeof updateTicket>('PUT /tickets/{id}', { params: { id: ticket._id }, body });
    const saved = await update({
      data_count: parseWholeNumber(form.values.data_count) ?? 0,
      discount: parseWholeNumber(discount) ?? 0,
      current_dollar_price: parseWholeNumber(rate) ?? 0,
      version: ticket.version,
    });
    const { version } = saved.ticket;
    const takeBack = () => update({ data_count, discount: before, current_dollar_price, version });
    toast.success(m.tickets_updated({ ticket: nameNumbered(saved.ticket) }), offerUndo(takeBack, onSaved));
    await onSaved();
  };

  return (
    <FormDialog
      title={m.tickets_edit_title({ number: ticket.ticket_number })}
      submitLabel={m.tickets_update()}
      busyLabel={m.tickets_updating()}
      fallback={m.tickets_update_failed()}
      form={form}
      follow={follow}
      onSubmit={save}
      onClose={onClose}
    >
      <WholeNumberField
        label={m.tickets_data_count()}
        unit={m.tickets_rows_unit()}
        min={1}
        max={largest}
        {...propsOf('data_count')}
      />
      <WholeNumberField
        label={m.tickets_discount()}
        unit="%"
        min={0}
        max={100}
        {...propsOf('discount')}
        onChange={(typed) => form.setFieldValue('discount', acceptDiscount(discount, typed))}
      />
      <WholeNumberField
        label={m.tickets_dollar_price()}
        unit={m.tickets_dollar_unit()}
        min={1}
        max={largest}
        {...propsOf('current_dollar_price')}
      />
      <section className={layout.tightStack} aria-label={m.tickets_price_live()} aria-live="polite">
        <h3>{m.tickets_price_live()}</h3>
        <TicketPricing
          ticket={{
            ...ticket,
            ...previewPrice(
              ticket,
              readOr(ticket.current_dollar_price, rate),
              readOr(ticket.discount, discount),
            ),
          }}
        />
        {ticket.done === 0 && <p className={typography.dim}>{m.tickets_price_later()}</p>}
      </section>
    </FormDialog>
  );
}

const valuesOf = ({ data_count, discount, current_dollar_price }: Ticket) => ({
  data_count: String(data_count),
  discount: String(discount),
  current_dollar_price: String(current_dollar_price),
});
