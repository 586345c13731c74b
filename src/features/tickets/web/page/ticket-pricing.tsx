import type { Ticket } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatNumber, formatRupiah } from '#web/format/format.ts';
import styles from './ticket-pricing.module.css';

type TicketPrices = Pick<
  Ticket,
  'known_count' | 'billable' | 'price_per_data' | 'subtotal' | 'discount' | 'discount_amount' | 'total_amount'
>;

export function TicketPricing({ ticket }: { ticket: TicketPrices }) {
  return (
    <dl className={styles.ticketPricing} aria-label={m.tickets_pricing()}>
      <div>
        <dt>{m.tickets_price_per_data()}</dt>
        <dd>{formatRupiah(ticket.price_per_data)}</dd>
      </div>
      {ticket.known_count > 0 && (
        <div>
          <dt>{m.tickets_billable()}</dt>
          <dd>{formatNumber(ticket.billable)}</dd>
        </div>
      )}
      <div>
        <dt>{m.tickets_subtotal()}</dt>
        <dd>{formatRupiah(ticket.subtotal)}</dd>
      </div>
      <div>
        <dt>{m.tickets_discount_of({ percent: ticket.discount })}</dt>
        <dd>{formatRupiah(ticket.discount_amount)}</dd>
      </div>
      <div className={styles.ticketsTotal}>
        <dt>{m.tickets_total_price()}</dt>
        <dd>{formatRupiah(ticket.total_amount)}</dd>
      </div>
    </dl>
  );
}
