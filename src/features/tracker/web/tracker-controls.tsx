import { Button, Switch } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import { IconRefresh } from '@tabler/icons-react';
import { CompanySelect } from '#features/clients/web/company-select.view.tsx';
import type { listTicketNumbers } from '#features/tickets/tickets.contract.ts';
import { optionOf } from '#features/tickets/web/form/ticket-options.view.ts';
import type { Answer } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { useUser } from '#web/client/session.ts';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { SearchSelect } from '#web/ui/field/search-select.tsx';
import './tracker-controls.css';

type Props = {
  company: string;
  ticket: string;
  tickets: Answer<typeof listTicketNumbers>['data'];
  ticketsLoading: boolean;
  ticketsFailed: boolean;
  auto: boolean;
  busy: boolean;
  onCompany: (company: string) => void;
  /** `typed`: chosen by typing its number, not from the list. */
  onTicket: (ticket: string, typed: boolean) => void;
  onAuto: (auto: boolean) => void;
  onRefresh: () => void;
};

/** The controls of the tracker: ticket, company, auto-refresh. */
export function TrackerControls(props: Props) {
  const options = [{ value: '', label: m.data_tracker_all_tickets() }, ...props.tickets.map(optionOf)];
  return (
    <div className="stack tight">
      <div className="panel tracker-controls">
        {useUser().superadmin && (
          <CompanySelect
            label={m.tickets_company_code()}
            hideLabel
            any={m.tickets_all_codes()}
            value={props.company}
            onChange={props.onCompany}
          />
        )}
        <SearchSelect
          label={m.data_ticket()}
          hideLabel
          placeholder={m.data_select_ticket()}
          value={props.ticket}
          options={options}
          detailed
          loading={props.ticketsLoading}
          onChange={(ticket) => props.onTicket(ticket, false)}
          onTyped={(ticket) => props.onTicket(ticket, true)}
        />
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden="true" />}
          onClick={props.onRefresh}
        >
          {m.data_tracker_refresh()}
        </Button>
        <Switch
          label={m.data_tracker_auto_refresh()}
          checked={props.auto}
          onChange={(event) => props.onAuto(event.target.checked)}
        />
      </div>
      {props.ticketsFailed && <Banner tone="error">{m.data_tracker_tickets_failed()}</Banner>}
    </div>
  );
}
