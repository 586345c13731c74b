import { Button, Switch } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CompanySelect } from '#features/clients/web/company-select.view.tsx';
import { FormatButtons } from '#features/results/web/format-buttons.view.tsx';
import { showTicket, ticketAddress } from '#features/results/web/rows/row-filter.view.ts';
import { TicketResults } from '#features/results/web/ticket-results.view.tsx';
import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import { useStillScreen } from '#features/tickets/web/changes.view.ts';
import { TicketSelect } from '#features/tickets/web/form/ticket-select.view.tsx';
import { nameNumbered } from '#features/tickets/web/name-ticket.view.ts';
import { NewerTicket, useFirstTicket } from '#features/tickets/web/newer-ticket.view.tsx';
import { StopTicket } from '#features/tickets/web/stop-ticket.view.tsx';
import { TicketGone } from '#features/tickets/web/ticket-gone.view.tsx';
import {
  allProgressQuery,
  findTicketsQuery,
  progressQuery,
  ticketsKey,
} from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { oneOf, text, useUrlState } from '#web/address/search-params.ts';
import { isMissing } from '#web/client/failure.ts';
import { useUser } from '#web/client/session.ts';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { AllProgress } from './all-progress.tsx';
import { ProgressSummary } from './progress/progress-summary.view.tsx';
import { RunningStrips } from './running-strips.tsx';
import { StandaloneTracker } from './standalone-tracker.tsx';
import '@mantine/core/styles/Switch.layer.css';
import layout from '#web/styles/layout.module.css';
import panels from '#web/ui/layout/panel.module.css';
import styles from './tracker.module.css';

const address = { view: oneOf(['full', 'standalone'], 'full'), company: text(), ...ticketAddress };
const refreshMs = 5000;

/**
 * Progress and rows of one ticket: the selected one, or the newest when the screen opened, which is shown with the progress
 * of all tickets. A selected ticket's progress is polled while it is Pending or Processing, and its rows reload when more
 * of them are finished. Without a selected ticket, everything reloads every 5 seconds (docs/rules.md, Screens).
 */
export function Tracker() {
  const [state, setState] = useUrlState(address);
  const [auto, setAuto] = useState(true);
  const queries = useQueryClient();
  const isSelected = state.ticket !== '';

  // A ticket whose results were deleted has no progress to follow.
  const among = { company_code: state.company || undefined, coverage_deleted: 'false' } as const;
  const ticketList = useQuery(findTicketsQuery(among));
  const all = useQuery({
    ...allProgressQuery(state.company),
    enabled: !isSelected,
    refetchInterval: auto ? refreshMs : false,
  });
  const selected = useQuery({
    ...progressQuery(state.ticket),
    enabled: isSelected,
    refetchInterval: ({ state: { data } }) => (auto && data && isRunning(data) ? refreshMs : false),
  });
  const first = useFirstTicket(all.data);
  const number = isSelected ? state.ticket : first;
  // A ticket that is selected here keeps its rows on screen while its progress is read.
  const polled = all.data?.find(({ ticket_number }) => ticket_number === number);
  const latestProgress = (isSelected ? selected.data : undefined) ?? polled;
  const isGone = isSelected && isMissing(selected.error);
  const progress = isGone ? undefined : latestProgress;
  const version = isSelected ? (progress?.done ?? 0) + (progress?.failed ?? 0) : all.dataUpdatedAt;

  useStillScreen(!auto);
  const select = (ticket: string, how?: { replace: boolean }) => setState(showTicket(ticket, state), how);
  /** A page, a filter, a selection or an open row selects the ticket. */
  const changeState: typeof setState = (change, options) =>
    setState({ ...(number !== undefined && { ticket: number }), ...change }, options);
  return (
    <div className={layout.stack}>
      <PageHeader
        title={m.common_menu_tracker()}
        subtitle={m.data_tracker_subtitle()}
        percent={progress?.percent}
        actions={number !== undefined && !isGone && <StopTicket ticketNumber={number} />}
        {...(progress && { documentTitle: nameNumbered(progress) })}
      />
      <div className={layout.tightStack}>
        <div className={`${panels.panel} ${styles.trackerControls}`}>
          {useUser().superadmin && (
            <CompanySelect
              className={styles.company}
              label={m.tickets_company_code()}
              hideLabel
              any={m.tickets_all_codes()}
              value={state.company}
              onChange={(company) => setState({ ...showTicket('', state), company })}
            />
          )}
          <TicketSelect
            className={styles.ticket}
            among={among}
            failed={m.data_tracker_tickets_failed()}
            any={m.data_tracker_all_tickets()}
            value={state.ticket}
            onChange={(ticket) => select(ticket)}
            onTyped={(ticket) => select(ticket, { replace: true })}
          />
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden="true" />}
            onClick={() => queries.invalidateQueries({ queryKey: ticketsKey })}
          >
            {m.data_tracker_refresh()}
          </Button>
          <Switch
            label={m.data_tracker_auto_refresh()}
            checked={auto}
            onChange={(event) => setAuto(event.target.checked)}
          />
        </div>
      </div>
      {number !== undefined && (
        <NewerTicket key={state.company} tickets={ticketList.data} number={number} pathOf={paths.trackerOf} />
      )}
      {isGone ? (
        <TicketGone number={state.ticket} wasShown={latestProgress !== undefined} />
      ) : (
        <ReadState
          read={isSelected ? selected : all}
          text={isSelected ? m.data_tracker_progress_failed() : m.data_tracker_all_failed()}
          boxed
        >
          {(answer: unknown) =>
            progress !== undefined ? (
              <>
                {!isSelected && <RunningStrips tickets={all.data ?? []} onSelect={select} />}
                <ProgressSummary progress={progress} />
                {!isSelected && <AllProgress rows={all.data ?? []} onSelect={select} />}
                <TicketResults
                  key={progress.ticket_number}
                  ticketNumber={progress.ticket_number}
                  companyCode={progress.company_code}
                  version={version}
                  state={state}
                  onChange={changeState}
                  onSelect={() => !isSelected && changeState({}, { replace: true })}
                  {...(isSelected && { download: FormatButtons })}
                />
              </>
            ) : answer === undefined ? (
              <PanelSkeleton height={180} />
            ) : (
              <div className={panels.panel}>
                <EmptyState title={m.data_tracker_empty()} hint={m.data_tracker_empty_hint()} />
              </div>
            )
          }
        </ReadState>
      )}
    </div>
  );
}

/** The progress tracker; with `view=standalone` one ticket on its own. */
export function TrackerPage() {
  const [{ view, ticket }] = useUrlState(address);
  return view === 'standalone' && ticket !== '' ? <StandaloneTracker ticketNumber={ticket} /> : <Tracker />;
}
