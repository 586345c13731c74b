import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import type { TicketMatch } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { describeFailure } from '#web/client/failure.ts';
import { useUser } from '#web/client/session.ts';
import { formatDay, formatNumber } from '#web/format/format.ts';
import { type Option, SearchSelect } from '#web/ui/field/search-select.tsx';
import { nameNumbered } from '../name-ticket.view.ts';
import { nameStatus } from '../ticket-badge.view.tsx';
import type { TicketQuery } from '../tickets.api.ts';
import { numberedQuery, useTicketSearch } from './use-ticket-search.view.ts';

type Props = Pick<ComponentProps<typeof SearchSelect>, 'value' | 'onChange' | 'onTyped' | 'className'> & {
  /** The tickets that may be chosen; by default all within the caller's scope. */
  among?: TicketQuery;
  /** The number of a ticket that is left out. */
  except?: string;
  /** A label that is shown, instead of one for screen readers. */
  label?: string;
  /** Names the first option, which stands for all tickets; without it one ticket is chosen. */
  any?: string;
  /** The message if the tickets cannot be read, instead of the server's. */
  failed?: string;
};

const pauseMs = 250;

/** Chooses a ticket by its number, file, company or uploader. The server searches. */
export function TicketSelect({ among = {}, except, label, any, failed, ...props }: Props) {
  const { superadmin } = useUser();
  const [typed, setTyped] = useState('');
  const [paused] = useDebouncedValue(typed, pauseMs);
  const text = typed === '' ? '' : paused.trim();
  const found = useTicketSearch(text, among);
  const chosen = useQuery(numberedQuery(props.value ?? '', found.isLoading ? undefined : found.tickets));

  const options = found.tickets
    .filter(({ ticket_number: number }) => number !== except)
    .map((ticket) => optionOf(ticket, superadmin));
  if (any !== undefined && text === '') options.unshift({ value: '', label: any });
  const isLoading = typed.trim() !== text || found.isLoading;
  const ticket = [...(chosen.data ?? []), ...found.tickets].find(
    ({ ticket_number: number }) => number === props.value,
  );
  return (
    <SearchSelect
      {...props}
      label={label ?? m.data_ticket()}
      hideLabel={label === undefined}
      placeholder={m.data_select_ticket()}
      options={isLoading ? [] : options}
      chosen={ticket && chosenOf(ticket, superadmin)}
      onSearch={setTyped}
      detailed
      loading={isLoading}
      failure={
        found.error === null
          ? undefined
          : { text: failed ?? describeFailure(found.error, m.common_fetch_failed()), retry: found.retry }
      }
    />
  );
}

/** A ticket as an option of a selector: name, uploader, day, rows and state, and its company where there are several. */
function optionOf(ticket: TicketMatch, superadmin: boolean): Option {
  const { total, status } = ticket;
  const rows = m.tickets_rows_of({ count: total, number: formatNumber(total) });
  return makeOption(ticket, superadmin, [rows, nameStatus(status)]);
}

/** The chosen ticket in a selector. The screen below shows its rows and state. */
const chosenOf = (ticket: TicketMatch, superadmin: boolean): Option => makeOption(ticket, superadmin, []);

function makeOption(ticket: TicketMatch, superadmin: boolean, progress: string[]): Option {
  const { ticket_number: number, date, company_code: company, uploaded_by: by } = ticket;
  const facts = [by?.name, formatDay(date), ...progress, superadmin && company];
  return {
    value: number,
    label: nameNumbered(ticket),
    detail: facts.filter((fact) => typeof fact === 'string'),
  };
}
