import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import type { listTicketNumbers } from '#features/tickets/tickets.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { SearchSelect } from '#web/ui/field/search-select.tsx';
import { optionOf } from './ticket-options.view.ts';

type Props = Pick<ComponentProps<typeof SearchSelect>, 'value' | 'onChange' | 'onTyped'> & {
  /** The read of `ticketNumbersQuery`. */
  numbers: Pick<UseQueryResult<Answer<typeof listTicketNumbers>['data']>, 'data' | 'isPending'>;
  /** Names the first option, which stands for all tickets; without it one ticket is chosen. */
  any?: string;
};

/** Chooses the ticket that a screen shows, by its number. */
export function TicketSelect({ numbers, any, ...props }: Props) {
  return (
    <SearchSelect
      {...props}
      label={m.data_ticket()}
      hideLabel
      placeholder={m.data_select_ticket()}
      options={[
        ...(any === undefined ? [] : [{ value: '', label: any }]),
        ...(numbers.data ?? []).map(optionOf),
      ]}
      detailed
      loading={numbers.isPending}
    />
  );
}
