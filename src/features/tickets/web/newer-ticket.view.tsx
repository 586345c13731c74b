import { useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { TicketMatch } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { nameNumbered } from './name-ticket.view.ts';

/**
 * Returns the ticket that a screen shows while its address names none: the first in the list when this entry of the
 * browser's history was opened, as long as it is listed.
 */
export function useFirstTicket(
  tickets: readonly Pick<TicketMatch, 'ticket_number'>[] | undefined,
): string | undefined {
  const { key } = useLocation();
  const [first, setFirst] = useState<{ key: string; ticket: string }>();
  const isListed =
    first?.key === key && tickets?.some(({ ticket_number: number }) => number === first.ticket);
  const ticket = isListed ? first.ticket : tickets?.[0]?.ticket_number;
  if (ticket !== undefined && !isListed) setFirst({ key, ticket });
  return ticket;
}

type Props = {
  /** The newest first. */
  tickets: readonly TicketMatch[] | undefined;
  /** The ticket on screen. */
  number: string;
  pathOf: (ticket: string) => string;
};

/** Announces the newest ticket if it was imported after the screen had read its first list, with a link to it. */
export function NewerTicket({ tickets, number, pathOf }: Props) {
  const imported = tickets?.filter((ticket) => ticket.imported);
  const first = useRef<ReadonlySet<string>>(null);
  if (imported !== undefined) first.current ??= new Set(imported.map(({ ticket_number: number }) => number));
  const newest = imported?.[0];
  if (newest === undefined || newest.ticket_number === number) return null;
  if (first.current?.has(newest.ticket_number)) return null;
  return (
    <Banner
      tone="info"
      title={m.data_newer_ticket({ ticket: nameNumbered(newest) })}
      action={
        <Link to={pathOf(newest.ticket_number)}>
          {m.data_upload_open_ticket({ ticket: newest.ticket_number })}
        </Link>
      }
    />
  );
}
