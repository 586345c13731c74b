import { Button, SegmentedControl } from '@mantine/core';
import '@mantine/core/styles/SegmentedControl.layer.css';
import {
  IconCircleCheck,
  IconClock,
  IconLayoutGrid,
  IconList,
  IconLoader2,
  IconPlus,
  IconTicket,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { CompanySelect } from '#features/clients/web/company-select.view.tsx';
import type { listTickets } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { useCreateForm } from '#web/address/create-form.ts';
import { oneOf, rememberedOneOf, text, useUrlState, wholeNumber } from '#web/address/search-params.ts';
import { readPage } from '#web/client/read.ts';
import layout from '#web/styles/layout.module.css';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { SummaryCards } from '#web/ui/layout/stat-card.tsx';
import { Tabs } from '#web/ui/layout/tabs.tsx';
import { ListFooter } from '#web/ui/table/list-footer.tsx';
import { TicketCreateForm } from '../form/ticket-create-form.tsx';
import { ticketsKey } from '../tickets.api.ts';
import { useTicketActions } from './ticket-actions.tsx';
import { TicketsList } from './tickets-list.tsx';
import styles from './tickets-page.module.css';

const sizes = [10, 20, 50, 100] as const;
const statuses = ['All', 'Pending', 'Processing', 'Completed', 'Cancelled'] as const;
const views = ['cards', 'list'] as const;
type View = (typeof views)[number];
const address = {
  status: oneOf(statuses, 'All'),
  code: text(),
  page: wholeNumber(1),
  limit: rememberedOneOf(sizes, 20, 'coverdesk.ticketPageSize'),
  view: rememberedOneOf(views, 'cards', 'coverdesk.ticketView'),
};

/** Tickets: counts, a form for new ones behind its button, and those of one status and company as cards or a list. */
export function TicketsPage() {
  const [{ status, code, page, limit, view }, setState] = useUrlState(address);
  const read = useQuery(
    readPage<typeof listTickets>([...ticketsKey, 'page'], 'GET /tickets', {
      query: { status: status === 'All' ? '' : status, company_code: code, page, limit },
    }),
  );
  const { data } = read;
  const actions = useTicketActions();
  const [creating, setCreating] = useCreateForm();

  const tabs = [
    { value: 'All', label: m.tickets_all() },
    { value: 'Pending', label: m.tickets_status_pending() },
    { value: 'Processing', label: m.tickets_status_processing() },
    { value: 'Completed', label: m.tickets_status_completed() },
    { value: 'Cancelled', label: m.tickets_status_cancelled() },
  ] as const;
  const cards = [
    { key: 'total', label: m.tickets_total(), icon: IconTicket },
    { key: 'pending', label: m.tickets_status_pending(), icon: IconClock },
    { key: 'processing', label: m.tickets_status_processing(), icon: IconLoader2 },
    { key: 'completed', label: m.tickets_status_completed(), icon: IconCircleCheck },
  ] as const;

  return (
    <>
      <PageHeader
        title={m.tickets_title()}
        subtitle={m.tickets_subtitle()}
        actions={
          !creating && (
            <Button
              leftSection={<IconPlus size={18} aria-hidden="true" />}
              aria-expanded={false}
              onClick={() => setCreating(true)}
            >
              {m.tickets_create()}
            </Button>
          )
        }
      />
      <div className={layout.stack}>
        <SummaryCards label={m.tickets_summary()} cards={cards} summary={data?.summary} />
        {creating && (
          <Panel title={m.tickets_form_title()}>
            <TicketCreateForm onCreated={actions.reload} onClose={() => setCreating(false)} />
          </Panel>
        )}
        <Tabs
          label={m.tickets_tabs()}
          tabs={tabs}
          value={status}
          onChange={(next, how) => setState({ status: next, page: 1 }, how)}
          aside={
            <div className={styles.ticketsAside}>
              <ViewSwitch value={view} onChange={(next) => setState({ view: next })} />
              <div className={styles.ticketsFilter}>
                <CompanySelect
                  label={m.tickets_code_filter()}
                  hideLabel
                  value={code}
                  any={m.tickets_all_codes()}
                  onChange={(next) => setState({ code: next, page: 1 })}
                />
              </div>
            </div>
          }
        >
          <ReadState read={read} boxed>
            {(answer) =>
              answer === undefined ? (
                <div className={styles.ticketsGrid}>
                  <PanelSkeleton height={view === 'cards' ? 216 : 160} count={3} />
                </div>
              ) : (
                <TicketsList
                  tickets={answer.data}
                  companyCode={code}
                  view={view}
                  filtered={status !== 'All' || code !== ''}
                  actions={actions}
                  onShowAll={() => setState({ status: 'All', code: '', page: 1 })}
                />
              )
            }
          </ReadState>
          <ListFooter
            pagination={data?.pagination}
            sizes={sizes}
            limit={limit}
            from={sizes[0] + 1}
            onPage={setState}
          />
        </Tabs>
      </div>
      {actions.dialog}
    </>
  );
}

function ViewSwitch({ value, onChange }: { value: View; onChange: (view: View) => void }) {
  return (
    <SegmentedControl
      classNames={{ label: styles.view }}
      aria-label={m.common_view()}
      color="var(--accent-soft)"
      value={value}
      onChange={onChange}
      data={[
        { value: 'cards', label: viewLabel(m.common_view_cards(), IconLayoutGrid) },
        { value: 'list', label: viewLabel(m.common_view_list(), IconList) },
      ]}
    />
  );
}

function viewLabel(text: string, ViewIcon: typeof IconList) {
  return (
    <span className={styles.viewLabel}>
      <ViewIcon size={16} aria-hidden="true" />
      {text}
    </span>
  );
}
