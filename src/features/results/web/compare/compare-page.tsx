import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import type { Comparison, compareTickets } from '#features/results/results.contract.ts';
import type { Ticket } from '#features/tickets/tickets.contract.ts';
import { TicketSelect } from '#features/tickets/web/form/ticket-select.view.tsx';
import { useEarlierTicket } from '#features/tickets/web/form/use-earlier-ticket.view.ts';
import { nameNumbered } from '#features/tickets/web/name-ticket.view.ts';
import { TicketGone } from '#features/tickets/web/ticket-gone.view.tsx';
import { ticketQuery, ticketsKey } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { useUrlState } from '#web/address/search-params.ts';
import { isMissing } from '#web/client/failure.ts';
import { read } from '#web/client/read.ts';
import { formatNumber } from '#web/format/format.ts';
import { NotFoundPage } from '#web/shell/pages/not-found-page.tsx';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { FactList } from '#web/ui/layout/fact-list.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import panels from '#web/ui/layout/panel.module.css';
import { Panel } from '#web/ui/layout/panel.tsx';
import { type CompareView, compareAddress } from './compare-address.ts';
import styles from './compare-page.module.css';
import { ComparedFigures } from './compared-figures.tsx';
import { ComparedSerials } from './compared-serials.tsx';

/** Compares a ticket with the check before, or with another that is chosen here. The older one comes first. */
export function ComparePage() {
  const { ticket: number = '' } = useParams();
  const [state, setState] = useUrlState(compareAddress);
  const { with: chosen } = state;
  const ticket = useQuery(ticketQuery(number));
  const earlier = useEarlierTicket(number);
  const other = chosen === '' ? earlier : chosen;
  const otherTicket = useQuery({ ...ticketQuery(other ?? ''), enabled: Boolean(other) });
  // Tickets are numbered in the order in which they are made.
  const [first = '', second = ''] = [number, other ?? ''].toSorted((a, b) => Number(a) - Number(b));
  const isGone = isMissing(ticket.error);
  const drawContent = () => {
    if (isGone) return <TicketGone number={number} wasShown />;
    if (other === undefined) return <PanelSkeleton height={400} />;
    if (other === '') return <NotChosen />;
    if (isMissing(otherTicket.error)) {
      return <TicketGone number={other} wasShown={otherTicket.data !== undefined} />;
    }
    return <Compared first={first} second={second} state={state} onChange={setState} />;
  };
  if (isGone && ticket.data === undefined) return <NotFoundPage text={m.tickets_not_found({ number })} />;
  return (
    <div className={`${layout.stack} ${styles.compare}`}>
      <PageHeader
        title={other ? m.data_compare_pair({ first, second }) : m.data_compare_ticket({ number })}
        subtitle={nameBoth(ticket.data, otherTicket.data)}
        actions={
          !isGone && (
            <Picker
              number={number}
              other={other ?? ''}
              onPick={(next) => setState({ with: next, page: 1, row: 0 })}
            />
          )
        }
      />
      {drawContent()}
    </div>
  );
}

/** Names both tickets, the older one first; nothing until both are known. */
function nameBoth(one: Ticket | undefined, other: Ticket | undefined): string | undefined {
  if (one === undefined || other === undefined) return undefined;
  const inOrder = [one, other].toSorted((a, b) => Number(a.ticket_number) - Number(b.ticket_number));
  return inOrder.map(nameNumbered).join(' · ');
}

type PickerProps = { number: string; other: string; onPick: (ticket: string) => void };

function Picker({ number, other, onPick }: PickerProps) {
  return <TicketSelect label={m.data_compare_with()} except={number} value={other} onChange={onPick} />;
}

function NotChosen() {
  return (
    <div className={panels.panel}>
      <EmptyState title={m.data_compare_choose()} hint={m.data_compare_choose_hint()} />
    </div>
  );
}

function Compared({ first, second, ...view }: { first: string; second: string } & CompareView) {
  const comparison = useQuery(
    read<typeof compareTickets>(ticketsKey, 'GET /tickets/compare', {
      query: { tickets: `${first},${second}` },
    }),
  );
  // The read of the deleted ticket itself is on its way.
  if (isMissing(comparison.error)) return <PanelSkeleton height={400} />;
  return (
    <ReadState read={comparison} boxed>
      {(answer) =>
        answer === undefined ? (
          <PanelSkeleton height={400} />
        ) : (
          <>
            <div className={styles.compareSummary}>
              <Panel title={m.data_compare_figures()} flush>
                <ComparedFigures sides={[answer.first, answer.second]} />
              </Panel>
              <Panel title={m.data_compare_shared()}>
                <SharedSerials first={first} second={second} serials={answer.serials} />
              </Panel>
            </div>
            <ComparedSerials {...answer} {...view} />
          </>
        )
      }
    </ReadState>
  );
}

type SharedProps = { first: string; second: string; serials: Comparison['serials'] };

/** How many serials only the first of two tickets has, both, and only the second. */
function SharedSerials({ first, second, serials }: SharedProps) {
  const facts = [
    [m.data_compare_only({ number: first }), formatNumber(serials.only_first)],
    [m.data_compare_both(), formatNumber(serials.both)],
    [m.data_compare_only({ number: second }), formatNumber(serials.only_second)],
  ] as const;
  return (
    <div className={layout.tightStack}>
      <FactList facts={facts} />
      <p className={typography.dim}>{m.data_compare_shared_note()}</p>
    </div>
  );
}
