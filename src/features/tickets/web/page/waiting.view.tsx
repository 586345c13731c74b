import { Link } from 'react-router';
import type { Waiting, WaitingCause } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { useNow } from '#web/browser/use-now.ts';
import { useUser } from '#web/client/session.ts';
import { useIsOutdated } from '#web/ui/feedback/read-state.tsx';
import styles from './waiting.module.css';

const causes: Record<Exclude<WaitingCause, 'turn'>, () => string> = {
  paused: m.tickets_waiting_paused,
  disabled: m.tickets_waiting_disabled,
  down: m.tickets_waiting_down,
  auth: m.tickets_waiting_auth,
  quota: m.tickets_waiting_quota,
  proxies: m.tickets_waiting_no_proxies,
};

const minuteMs = 60_000;

/** "Waiting for Sandbox: paused by a superadmin, 4 min"; null for a ticket that moves. */
export function useWaiting({
  waiting_reason,
  waiting_source: source,
  waiting_cause: cause,
  waiting_since: since,
}: Waiting): string | null {
  const isOutdated = useIsOutdated();
  const now = useNow(since === null || isOutdated ? null : minuteMs / 4);
  if (waiting_reason === null) return null;
  const why = describeWait(source, cause);
  const minutes = since === null ? 0 : Math.floor((now - Date.parse(since)) / minuteMs);
  return minutes < 1 ? why : `${why}, ${describeMinutes(minutes)}`;
}

function describeWait(source: string | null, cause: WaitingCause | null): string {
  if (cause === 'turn') return m.tickets_waiting_for_turn();
  const forWhat =
    source === null ? m.tickets_waiting_for_proxies() : m.tickets_waiting_for_source({ source });
  return cause === null ? forWhat : `${forWhat}: ${causes[cause]()}`;
}

function describeMinutes(minutes: number): string {
  if (minutes < 60) return m.tickets_waiting_minutes({ count: minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return m.tickets_waiting_hours({ count: hours });
  return m.tickets_waiting_days({ count: Math.floor(hours / 24) });
}

/** The cause and duration of a ticket's wait, with a link to its remedy; nothing for a ticket that moves. */
export function WaitingLine({ ticket }: { ticket: Waiting }) {
  const words = useWaiting(ticket);
  if (words === null) return null;
  return (
    <span className={styles.waitingLine}>
      {words}
      <WaitingRemedy ticket={ticket} />
    </span>
  );
}

export function WaitingRemedy({ ticket, className }: { ticket: Waiting; className?: string | undefined }) {
  const { superadmin } = useUser();
  if (!superadmin || ticket.waiting_reason === null || ticket.waiting_cause === 'turn') return null;
  const isProxies = ticket.waiting_cause === 'proxies' || ticket.waiting_source === null;
  return (
    <Link className={className} to={isProxies ? paths.proxies : paths.sources}>
      {isProxies ? m.tickets_open_proxies() : m.tickets_open_sources()}
    </Link>
  );
}
