import { IconBan, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useId } from 'react';
import { Link } from 'react-router';
import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import type { ListedTicket, Progress } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { formatLongDate, formatNumber } from '#web/format/format.ts';
import typography from '#web/styles/typography.module.css';
import { ActionButton } from '#web/ui/action/action-button.tsx';
import panels from '#web/ui/layout/panel.module.css';
import { ActionMenu } from '#web/ui/overlay/action-menu.tsx';
import { nameTicket } from '../name-ticket.view.ts';
import { TicketPricing } from '../page/ticket-pricing.tsx';
import { TicketBadge } from '../ticket-badge.view.tsx';
import { explainNoDelete, mayRetry } from '../ticket-rules.view.ts';
import { listFurtherActions, type TicketActions } from './ticket-actions.tsx';
import styles from './ticket-card.module.css';
import { TicketCardProgress } from './ticket-card-progress.tsx';

type Props = { ticket: ListedTicket; progress: Progress | undefined; actions: TicketActions };

export function TicketCard({ ticket, progress, actions }: Props) {
  const id = useId();
  const { ticket_number: number } = ticket;
  const isRetrying = actions.retrying.has(ticket._id);
  return (
    <article className={`${panels.panel} ${styles.ticketCard}`} aria-labelledby={id}>
      <div className={styles.ticketCardHead}>
        <h2 id={id}>
          <Link to={paths.ticketOf(number)}>{m.tickets_number({ number })}</Link>
        </h2>
        <TicketBadge status={ticket.status} />
        <Link to={paths.trackerOf(number)} aria-describedby={id}>
          {m.tickets_track()}
        </Link>
        <ActionMenu
          label={m.tickets_actions_of({ number })}
          actions={() => listFurtherActions(ticket, actions)}
        />
      </div>
      <p className={styles.ticketCardFile} title={nameTicket(ticket)}>
        {[nameTicket(ticket), ticket.uploaded_by?.name].filter(Boolean).join(' · ')}
      </p>
      <dl className={styles.ticketCardFacts}>
        <div>
          <dt className={typography.srOnly}>{m.tickets_date()}</dt>
          <dd>{formatLongDate(ticket.date)}</dd>
        </div>
        <div>
          <dt>{m.tickets_company_code()}</dt>
          <dd className={typography.mono}>{ticket.company_code}</dd>
        </div>
        <div>
          <dt>{m.tickets_data_count()}</dt>
          <dd>{formatNumber(ticket.data_count)}</dd>
        </div>
      </dl>
      <TicketCardProgress ticket={ticket} progress={progress} />
      <TicketPricing ticket={ticket} />
      <div className={styles.ticketCardFoot}>
        <ActionButton
          label={m.common_edit()}
          icon={IconPencil}
          describedBy={id}
          onClick={() => actions.edit(ticket)}
        />
        {isRunning(ticket) && (
          <ActionButton
            label={m.tickets_cancel()}
            icon={IconBan}
            describedBy={id}
            onClick={() => actions.cancel(ticket)}
          />
        )}
        {mayRetry(ticket) && (
          <ActionButton
            label={isRetrying ? m.tickets_retrying() : m.tickets_retry()}
            icon={IconRefresh}
            describedBy={id}
            disabled={isRetrying}
            onClick={() => actions.retry(ticket)}
          />
        )}
        <ActionButton
          label={m.common_delete()}
          icon={IconTrash}
          describedBy={id}
          reason={explainNoDelete(ticket)}
          onClick={() => actions.delete(ticket)}
        />
      </div>
    </article>
  );
}
