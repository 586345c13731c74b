import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { ImportReport } from '#features/imports/web/report/import-report.tsx';
import { DeleteAll } from '#features/results/web/deletion/delete-all.tsx';
import { isEmpty } from '#features/results/web/deletion/deleted-data.ts';
import { FormatButtons } from '#features/results/web/format-buttons.view.tsx';
import { ticketAddress } from '#features/results/web/rows/row-filter.view.ts';
import { TicketResults } from '#features/results/web/ticket-results.view.tsx';
import type { Progress, Ticket, TicketMatch } from '#features/tickets/tickets.contract.ts';
import { useTicketActions } from '#features/tickets/web/list/ticket-actions.tsx';
import { nameTicket } from '#features/tickets/web/name-ticket.view.ts';
import { TicketLife } from '#features/tickets/web/page/ticket-history.tsx';
import { previewPrice } from '#features/tickets/web/page/ticket-price.ts';
import { TicketPricing } from '#features/tickets/web/page/ticket-pricing.tsx';
import { StopTicket } from '#features/tickets/web/stop-ticket.view.tsx';
import { TicketGone } from '#features/tickets/web/ticket-gone.view.tsx';
import { explainNoEdit, mayRetry } from '#features/tickets/web/ticket-rules.view.ts';
import { progressQuery, ticketQuery } from '#features/tickets/web/tickets.api.ts';
import { ProgressSummary } from '#features/tracker/web/progress/progress-summary.view.tsx';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { oneOf, useUrlState } from '#web/address/search-params.ts';
import { isMissing } from '#web/client/failure.ts';
import { useUser } from '#web/client/session.ts';
import { formatLongDate, formatNumber, formatRupiah } from '#web/format/format.ts';
import { NotFoundPage } from '#web/shell/pages/not-found-page.tsx';
import { OnDemand } from '#web/shell/pages/on-demand.tsx';
import layout from '#web/styles/layout.module.css';
import { PartNotRead } from '#web/ui/feedback/part-not-read.tsx';
import { type Read, ReadState } from '#web/ui/feedback/read-state.tsx';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { StatCard } from '#web/ui/layout/stat-card.tsx';
import { Tabs } from '#web/ui/layout/tabs.tsx';

const loadUploadedRows = () => import('#features/results/web/uploaded-rows.view.tsx');

const views = ['overview', 'results', 'uploaded', 'import', 'price', 'history'] as const;
type View = (typeof views)[number];
const address = { view: oneOf(views, 'overview'), ...ticketAddress };

/** Everything about one ticket at one address, as far as the reader may see it. */
export function TicketPage() {
  const { ticket: number = '' } = useParams();
  const progress = useQuery(progressQuery(number));
  const version = (progress.data?.done ?? 0) + (progress.data?.failed ?? 0);
  const ticket = useQuery(ticketQuery(number));
  if (isMissing(progress.error)) {
    if (progress.data !== undefined) return <TicketGone number={number} wasShown />;
    return <NotFoundPage text={m.tickets_not_found({ number })} />;
  }
  // Head and content are shown together, to avoid a layout shift.
  const isKnown = progress.data !== undefined && ticket.isFetched;
  const shownTicket = isKnown ? ticket.data : undefined;
  return (
    <div className={layout.stack}>
      <PageHeader
        title={shownTicket ? nameTicket(shownTicket) : m.tickets_number({ number })}
        number={shownTicket && number}
        subtitle={shownTicket && describeTicket(shownTicket)}
        percent={progress.data?.percent}
        actions={shownTicket && <Actions ticket={shownTicket} />}
      />
      <ReadState read={progress} boxed>
        {(known) =>
          known === undefined || !isKnown ? (
            <PanelSkeleton height={240} />
          ) : (
            <Views key={number} progress={known} ticket={ticket} version={version} />
          )
        }
      </ReadState>
    </div>
  );
}

function describeTicket(ticket: TicketMatch): string {
  const { date, company_code: code, total, uploaded_by: by } = ticket;
  const rows = m.tickets_rows_of({ count: total, number: formatNumber(total) });
  return [formatLongDate(date), code, rows, by?.name].filter(Boolean).join(' · ');
}

type ViewsProps = { progress: Progress; ticket: Read<Ticket>; version: number };

function Views({ progress, ticket: read, version }: ViewsProps) {
  const ticket = read.data;
  const [state, setState] = useUrlState(address);
  const { view } = state;
  const { ticket_number: number } = progress;
  // An order has neither rows nor an import.
  const hasRows = ticket === undefined || ticket.imported;
  const isGone = ticket === undefined || isEmpty(ticket);
  const labels: [View, string, boolean][] = [
    ['overview', m.tickets_view_overview(), true],
    ['results', m.tickets_view_results(), hasRows],
    ['uploaded', m.tickets_view_uploaded(), hasRows],
    ['import', m.tickets_view_import(), hasRows],
    ['price', m.tickets_view_price(), true],
    ['history', m.tickets_view_history(), true],
  ];
  const tabs = labels.flatMap(([value, label, isShown]) => (isShown ? [{ value, label }] : []));
  const tab = tabs.some(({ value }) => value === view) ? view : 'overview';
  const draw: Record<View, () => ReactNode> = {
    overview: () => (
      <ProgressSummary progress={progress}>
        {ticket && (
          <StatCard
            label={m.data_compare_price()}
            value={<Link to={paths.viewOf(number, 'price')}>{formatRupiah(priceNow(ticket, progress))}</Link>}
          />
        )}
      </ProgressSummary>
    ),
    results: () => (
      <TicketResults
        ticketNumber={number}
        companyCode={progress.company_code}
        version={version}
        download="dialog"
        state={state}
        onChange={setState}
      />
    ),
    uploaded: () => (
      <OnDemand load={loadUploadedRows} props={{ ticket: number, state, onChange: setState }} />
    ),
    import: () => <ImportReport ticketNumber={number} />,
    price: () => (
      <ReadState read={read} boxed>
        {(known) =>
          known && (
            <Panel title={m.tickets_view_price()}>
              <TicketPricing ticket={known} />
            </Panel>
          )
        }
      </ReadState>
    ),
    history: () => <TicketLife ticketNumber={number} />,
  };
  return (
    <Tabs
      label={m.tickets_views()}
      tabs={tabs}
      value={tab}
      onChange={(next, how) => setState({ view: next, page: 1 }, how)}
      // The views of the rows have them beside the rows.
      aside={
        hasRows &&
        tab === 'overview' && (
          <div className={layout.row}>
            <FormatButtons ticketNumber={number} disabled={isGone} />
            <DeleteAll ticketNumber={number} what="results" disabled={isGone} />
          </div>
        )
      }
    >
      {tab !== 'price' && <PartNotRead read={read} name={m.tickets_ticket()} />}
      {draw[tab]()}
    </Tabs>
  );
}

/** The price of the finished rows. Progress may be newer than the ticket that was read. */
function priceNow(ticket: Ticket, { done }: Progress): number {
  const billable = ticket.billable + done - ticket.done;
  return previewPrice({ ...ticket, billable }, ticket.current_dollar_price, ticket.discount).total_amount;
}

function Actions({ ticket }: { ticket: Ticket }) {
  const { superadmin } = useUser();
  const actions = useTicketActions();
  const button = (label: string, onClick: () => void, disabled = false) => (
    <Button variant="default" disabled={disabled} onClick={onClick}>
      {label}
    </Button>
  );
  const isRetrying = actions.retrying.has(ticket._id);
  return (
    <>
      <Link to={paths.trackerOf(ticket.ticket_number)}>{m.data_open_tracker()}</Link>
      <Link to={paths.compareOf(ticket.ticket_number)}>{m.data_compare()}</Link>
      {superadmin && explainNoEdit(ticket) === null && button(m.common_edit(), () => actions.edit(ticket))}
      <StopTicket ticketNumber={ticket.ticket_number} />
      {superadmin &&
        mayRetry(ticket) &&
        button(
          isRetrying ? m.tickets_retrying() : m.tickets_retry(),
          () => actions.retry(ticket),
          isRetrying,
        )}
      {actions.dialog}
    </>
  );
}
