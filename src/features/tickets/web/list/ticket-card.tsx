import { IconBan, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useId } from 'react';
import { Link } from 'react-router';
import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import type { Progress, TicketMatch } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { formatLongDate, formatNumber } from '#web/format/format.ts';
import typography from '#web/styles/typography.module.css';
import { ActionButton } from '#web/ui/action/action-button.tsx';
import panels from '#web/ui/layout/panel.module.css';
import { type Action, ActionMenu } from '#web/ui/overlay/action-menu.tsx';
import { nameTicket } from '../name-ticket.view.ts';
import { TicketPricing } from '../page/ticket-pricing.tsx';
import { TicketBadge } from '../ticket-badge.view.tsx';
import { explainNoDelete, explainNoEdit, mayRetry } from '../ticket-rules.view.ts';
import styles from './ticket-card.module.css';
import { TicketCardProgress } from './ticket-card-progress.tsx';

type Props = {
  ticket: TicketMatch;
  progress: Progress | undefined;
  /** Each action's button appears only where the action is supplied. */
  onEdit?: () => void;
  onDelete?: () => void;
  onCancel?: () => void;
  onRetry?: () => void;
  retrying?: boolean;
  listMore?: () => readonly Action[];
};

export function TicketCard({
  ticket,
  progress,
  onEdit,
  onDelete,
  onCancel,
  onRetry,
  retrying,
  listMore,
}: Props) {
  const id = useId();
  const { ticket_number: number } = ticket;
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
        {listMore && <ActionMenu label={m.tickets_actions_of({ number })} actions={listMore} />}
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
        {onEdit && (
          <ActionButton
            label={m.common_edit()}
            icon={IconPencil}
            describedBy={id}
            reason={explainNoEdit(ticket)}
            onClick={onEdit}
          />
        )}
        {onCancel && isRunning(ticket) && (
          <ActionButton label={m.tickets_cancel()} icon={IconBan} describedBy={id} onClick={onCancel} />
        )}
        {onRetry && mayRetry(ticket) && (
          <ActionButton
            label={retrying ? m.tickets_retrying() : m.tickets_retry()}
            icon={IconRefresh}
            describedBy={id}
            disabled={retrying ?? false}
            onClick={onRetry}
          />
        )}
        {onDelete && (
          <ActionButton
            label={m.common_delete()}
            icon={IconTrash}
            describedBy={id}
            reason={explainNoDelete(ticket)}
            onClick={onDelete}
          />
        )}
      </div>
    </article>
  );
}
