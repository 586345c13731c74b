import { NativeSelect } from '@mantine/core';
import type { SheetPreview } from '#features/imports/imports.contract.ts';
import type { Ticket, TicketMatch } from '#features/tickets/tickets.contract.ts';
import { nameNumbered } from '#features/tickets/web/name-ticket.view.ts';
import { m } from '#shared/texts/messages.js';
import { formatRupiah } from '#web/format/format.ts';
import { PartNotRead } from '#web/ui/feedback/part-not-read.tsx';
import type { Read } from '#web/ui/feedback/read-state.tsx';

type Props = {
  order: string;
  options: { value: string; label: string }[];
  /** The read of the chosen order. */
  read: Read<Ticket>;
  disabled: boolean;
  onOrder: (order: string) => void;
};

export function OrderField({ order, options, read, disabled, onOrder }: Props) {
  return (
    <>
      <NativeSelect
        label={m.data_upload_order()}
        description={order === '' || read.error ? undefined : describeTerms(read.data)}
        value={order}
        disabled={disabled}
        data={[{ value: '', label: m.data_upload_new_ticket() }, ...options]}
        onChange={({ target }) => onOrder(target.value)}
      />
      <PartNotRead read={read} name={m.tickets_view_price()} />
    </>
  );
}

/** Lists the orders as options. The chosen one stays even when it was filled, because it will be sent. */
export function listOrders(orders: readonly TicketMatch[], chosen: string | null) {
  const options = orders.map((order) => ({ value: order.ticket_number, label: nameNumbered(order) }));
  if (!chosen || options.some(({ value }) => value === chosen)) return options;
  return [{ value: chosen, label: m.tickets_number({ number: chosen }) }, ...options];
}

/** The price of an order, under the field that chooses it. Reserves its line while loading. */
function describeTerms(ticket: Ticket | undefined): string {
  if (ticket === undefined) return m.common_loading();
  const price = `${m.tickets_price_per_data()}: ${formatRupiah(ticket.price_per_data)}`;
  return `${price} · ${m.tickets_discount_of({ percent: ticket.discount })}`;
}

/** A price in rupiah: `full` is before the discount, and budgets count it. */
export type Price = { full: number; discounted: number };

/** Returns the price of so many rows. An order has its own terms: undefined until they are read, null if they cannot be. */
export function priceRows(
  preview: SheetPreview,
  rows: number,
  order: string,
  read: Read<Ticket>,
): Price | null | undefined {
  const terms = order === '' ? preview : read.data;
  if (terms === undefined) return read.error ? null : undefined;
  const { price_per_data, discount } = terms;
  const full = rows * price_per_data;
  return { full, discounted: (full * (100 - discount)) / 100 };
}
