import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Ticket, updateTicket } from '#features/tickets/tickets.contract.ts';
import type { Body } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { isOutdated } from '#web/client/failure.ts';
import { useSubmit } from '#web/client/submit.ts';
import { formatNumber } from '#web/format/format.ts';
import { parseWholeNumber } from '#web/format/whole-number.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { offerUndo } from '#web/ui/action/undo.ts';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { WholeNumberField } from '#web/ui/field/whole-number-field.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
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

/** A field's text after another user saved the ticket: typed text stays, an untouched field is updated. */
function follow(typed: string, before: number, now: number): string {
  return parseWholeNumber(typed) === before ? String(now) : typed;
}

type Props = { ticket: Ticket; onSaved: () => Promise<unknown>; onClose: () => void };

export function TicketEditDialog({ ticket: opened, onSaved, onClose }: Props) {
  const [ticket, setTicket] = useState(opened);
  const [stale, setStale] = useState(false);
  const [count, setCount] = useState(String(ticket.data_count));
  const [discount, setDiscount] = useState(String(ticket.discount));
  const [rate, setRate] = useState(String(ticket.current_dollar_price));
  const hintOf = (typed: string, field: 'data_count' | 'discount' | 'current_dollar_price') => {
    const now = ticket[field];
    if (now === opened[field] || parseWholeNumber(typed) === now) return undefined;
    return m.tickets_changed_to({ value: formatNumber(now) });
  };
  const queries = useQueryClient();
  const formId = useId();

  const { busy, error, setError, submit } = useSubmit({
    send: async () => {
      const { data_count, discount: before, current_dollar_price } = ticket;
      const update = (body: Body<typeof updateTicket>) =>
        call<typeof updateTicket>('PUT /tickets/{id}', { params: { id: ticket._id }, body });
      const saved = await update({
        data_count: parseWholeNumber(count) ?? 0,
        discount: parseWholeNumber(discount) ?? 0,
        current_dollar_price: parseWholeNumber(rate) ?? 0,
        version: ticket.version,
      }).catch((failure) => {
        setStale(isOutdated(failure));
        throw failure;
      });
      const takeBack = async () => {
        const { version } = saved.ticket;
        await update({ data_count, discount: before, current_dollar_price, version });
        await onSaved();
      };
      toast.success(m.tickets_updated({ ticket: nameNumbered(saved.ticket) }), offerUndo(takeBack));
      await onSaved();
      onClose();
    },
    fallback: m.tickets_update_failed(),
  });

  const reload = useSubmit({
    send: async () => {
      const { ticket: fresh } = await queries.fetchQuery(ticketQuery(ticket.ticket_number));
      setTicket(fresh);
      setCount(follow(count, ticket.data_count, fresh.data_count));
      setDiscount(follow(discount, ticket.discount, fresh.discount));
      setRate(follow(rate, ticket.current_dollar_price, fresh.current_dollar_price));
      setStale(false);
      setError(null);
    },
    onError: setError,
    fallback: m.common_fetch_failed(),
  });

  return (
    <Dialog
      title={m.tickets_edit_title({ number: ticket.ticket_number })}
      busy={busy}
      onClose={onClose}
      footer={
        <>
          <Button variant="default" disabled={busy} onClick={onClose}>
            {m.common_cancel()}
          </Button>
          {stale && (
            <Button variant="default" disabled={busy || reload.busy} onClick={reload.submit}>
              {m.tickets_reload()}
            </Button>
          )}
          <Button type="submit" form={formId} disabled={busy || stale}>
            {busy ? m.tickets_updating() : m.tickets_update()}
          </Button>
        </>
      }
    >
      <form id={formId} className={layout.stack} onSubmit={submit}>
        {error !== null && <Banner tone="error">{error}</Banner>}
        <WholeNumberField
          label={m.tickets_data_count()}
          hint={hintOf(count, 'data_count')}
          unit={m.tickets_rows_unit()}
          value={count}
          min={1}
          max={largest}
          onChange={setCount}
        />
        <WholeNumberField
          label={m.tickets_discount()}
          hint={hintOf(discount, 'discount')}
          unit="%"
          value={discount}
          min={0}
          max={100}
          onChange={(typed) => setDiscount(acceptDiscount(discount, typed))}
        />
        <WholeNumberField
          label={m.tickets_dollar_price()}
          hint={hintOf(rate, 'current_dollar_price')}
          unit={m.tickets_dollar_unit()}
          value={rate}
          min={1}
          max={largest}
          onChange={setRate}
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
      </form>
    </Dialog>
  );
}
