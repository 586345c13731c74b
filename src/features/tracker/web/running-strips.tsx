import { useEffect, useState } from 'react';
import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import type { Progress } from '#features/tickets/tickets.contract.ts';
import { nameNumbered } from '#features/tickets/web/name-ticket.view.ts';
import { WaitingLine } from '#features/tickets/web/page/waiting.view.tsx';
import { barOf, TicketBadge } from '#features/tickets/web/ticket-badge.view.tsx';
import { m } from '#shared/texts/messages.js';
import { describeCounts } from '#web/format/format.ts';
import typography from '#web/styles/typography.module.css';
import { ProgressBar } from '#web/ui/chart/progress-bar.tsx';
import panels from '#web/ui/layout/panel.module.css';
import { Pace } from './progress/progress-state.tsx';
import styles from './running-strips.module.css';
import { TicketButton } from './ticket-button.tsx';

type Props = { tickets: readonly Progress[]; onSelect: (ticket: string) => void };

const momentMs = 6000;

/** Returns the tickets that were completed between two consecutive answers, for `momentMs`. */
function useJustCompleted(tickets: readonly Progress[]): ReadonlySet<string> {
  const [answer, setAnswer] = useState(tickets);
  const [completed, setCompleted] = useState<ReadonlySet<string>>(new Set());
  if (answer !== tickets) {
    const ran = new Set(answer.filter(isRunning).map(({ ticket_number: number }) => number));
    const ended = tickets.filter((ticket) => ticket.status === 'Completed' && ran.has(ticket.ticket_number));
    setAnswer(tickets);
    if (ended.length > 0)
      setCompleted(new Set([...completed, ...ended.map((ticket) => ticket.ticket_number)]));
  }
  useEffect(() => {
    if (completed.size === 0) return undefined;
    const timer = setTimeout(() => setCompleted(new Set()), momentMs);
    return () => clearTimeout(timer);
  }, [completed]);
  return completed;
}

/**
 * A line for each running ticket: counts, rate and time left. A ticket that was just completed stays for a moment. Renders
 * nothing if no ticket is running.
 */
export function RunningStrips({ tickets, onSelect }: Props) {
  const completed = useJustCompleted(tickets);
  const running = tickets.filter((ticket) => isRunning(ticket) || completed.has(ticket.ticket_number));
  if (running.length === 0) return null;
  return (
    <section className={styles.runningStrips} aria-label={m.data_tracker_running()}>
      {running.map((ticket) => {
        const { ticket_number: number } = ticket;
        const name = nameNumbered(ticket);
        return (
          <article
            key={number}
            className={`${panels.panel} ${styles.runningStrip} ${isRunning(ticket) ? '' : styles.completed}`}
            aria-label={name}
          >
            <TicketButton ticket={ticket} onSelect={onSelect} />
            <TicketBadge status={ticket.status} />
            <span className={typography.dim}>
              <span className={typography.mono}>{ticket.company_code}</span> {ticket.uploaded_by?.name}
            </span>
            <ProgressBar label={name} {...barOf(ticket)} />
            <span className={typography.tabular}>{describeCounts(ticket)}</span>
            {ticket.waiting_reason === null ? (
              <span className={typography.dim}>
                <Pace progress={ticket} />
              </span>
            ) : (
              <WaitingLine ticket={ticket} />
            )}
          </article>
        );
      })}
    </section>
  );
}
