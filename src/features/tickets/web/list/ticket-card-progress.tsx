import { type Icon, IconAlertTriangle, IconCircleCheck, IconCircleX, IconClock } from '@tabler/icons-react';
import type { Progress, Ticket } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { describeCounts, formatDuration, formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { ProgressBar } from '#web/ui/chart/progress-bar.tsx';
import { useIsOutdated } from '#web/ui/feedback/read-state.tsx';
import { WaitingLine } from '../page/waiting.view.tsx';
import { barOf } from '../ticket-badge.view.tsx';
import { countFailedItems } from '../ticket-rules.view.ts';
import styles from './ticket-card.module.css';

export function TicketCardProgress({ ticket, progress }: { ticket: Ticket; progress: Progress | undefined }) {
  const bar = barOf(ticket);
  return (
    <div className={styles.ticketCardProgress}>
      <p className={layout.spread}>
        <span className={typography.tabular}>{describeCounts(ticket)}</span>
        <span className={typography.tabular}>{bar.percent}%</span>
      </p>
      <ProgressBar
        label={`${m.tickets_progress()}: ${m.tickets_number({ number: ticket.ticket_number })}`}
        {...bar}
      />
      <TicketMessage ticket={ticket} progress={progress} />
    </div>
  );
}

const iconSize = 16;

export function TicketMessage({ ticket, progress }: { ticket: Ticket; progress: Progress | undefined }) {
  const isOutdated = useIsOutdated();
  if (ticket.status === 'Completed') {
    const failed = countFailedItems(ticket);
    return failed > 0 ? (
      <Message
        tone="orange"
        icon={IconAlertTriangle}
        text={m.tickets_items_failed({ count: formatNumber(failed) })}
      />
    ) : (
      <Message
        tone="green"
        icon={IconCircleCheck}
        text={m.tickets_all_processed({ count: ticket.total, number: formatNumber(ticket.total) })}
      />
    );
  }
  if (ticket.status === 'Cancelled') {
    return <Message tone="red" icon={IconCircleX} text={m.tickets_processing_was_cancelled()} />;
  }
  if (progress?.waiting_reason && ticket.imported) {
    return (
      <p className={styles.ticketsMessage} style={{ color: 'var(--yellow-text)' }}>
        <IconClock size={iconSize} aria-hidden="true" />
        <WaitingLine ticket={progress} />
      </p>
    );
  }
  const pace = describePace(ticket, isOutdated ? undefined : progress);
  return (
    <p className={`${styles.ticketsMessage} ${typography.dim}`} title={pace}>
      <span>{pace}</span>
    </p>
  );
}

/** Cut off where there is no room for all of it. */
function Message({ tone, icon: Sign, text }: { tone: 'orange' | 'green' | 'red'; icon: Icon; text: string }) {
  return (
    <p className={styles.ticketsMessage} style={{ color: `var(--${tone}-text)` }} title={text}>
      <Sign size={iconSize} aria-hidden="true" />
      <span>{text}</span>
    </p>
  );
}

/** The rate and time left of a running ticket. Reserves its line while they are unknown. */
function describePace(ticket: Ticket, progress: Progress | undefined) {
  if (!ticket.imported) return m.tickets_waiting_upload();
  if (ticket.status === 'Pending') return m.tickets_waiting_start();
  if (progress === undefined || progress.rate_per_minute === null) return '\u00a0';
  const rate = m.tickets_rate({ rate: formatNumber(Math.round(progress.rate_per_minute)) });
  if (progress.eta_seconds === null) return rate;
  return `${rate} · ${m.tickets_time_left({ duration: formatDuration(progress.eta_seconds) })}`;
}
