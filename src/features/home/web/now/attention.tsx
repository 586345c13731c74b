import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { productStatus } from '#features/operations/web/operations.api.ts';
import { proxySetTimes } from '#features/proxies/web/proxies.api.ts';
import { addressOfFailed } from '#features/results/web/row-addresses.view.ts';
import { RetryFailed } from '#features/results/web/ticket/retry-failed.view.tsx';
import { nameReason } from '#features/sources/web/source-state.view.tsx';
import { sources } from '#features/sources/web/sources.api.ts';
import type { ListedProgress } from '#features/tickets/tickets.contract.ts';
import { TicketLink } from '#features/tickets/web/ticket-name.view.tsx';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { formatInstant, formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { passFocusOn } from '#web/ui/overlay/move-focus.ts';
import styles from './now.module.css';
import { maxLines } from './now-panel.tsx';

/** Days before the end when a notice appears. A new certificate takes longer to get than new proxies. */
const proxyDays = 7;
const certificateDays = 30;
/** Lines that one press adds. For superadmins each line reads counts, and the server allows few such reads at once. */
const moreLines = 10;
const dayMs = 24 * 60 * 60 * 1000;

type Line = { key: string; text: string; to: string };

/** Draws the cases that need a decision: the lines of operations, and tickets with rows that a retry would look up again. */
export function drawAttention(
  tickets: readonly ListedProgress[],
  operations: readonly Line[],
  superadmin: boolean,
) {
  const failed = tickets.filter(({ unavailable }) => unavailable > 0);
  return [
    ...operations.map(({ key, text, to }) => (
      <li key={key} className={styles.nowWaiting}>
        <Link to={to}>{text}</Link>
      </li>
    )),
    failed.length > 0 && <FailedLines key="failed" tickets={failed} superadmin={superadmin} />,
  ];
}

type FailedLinesProps = { tickets: readonly ListedProgress[]; superadmin: boolean };

function FailedLines({ tickets, superadmin }: FailedLinesProps) {
  const [shown, setShown] = useState(maxLines);
  const moreCount = tickets.length - shown;
  return (
    <>
      {tickets.slice(0, shown).map((ticket) => (
        <FailedLine key={ticket.ticket_number} ticket={ticket} superadmin={superadmin} />
      ))}
      {moreCount > 0 && (
        <li>
          <Button
            ref={passFocusOn}
            variant="subtle"
            size="compact-sm"
            onClick={() => setShown(shown + moreLines)}
          >
            {m.home_more({ number: formatNumber(moreCount) })}
          </Button>
        </li>
      )}
    </>
  );
}

function FailedLine({ ticket, superadmin }: { ticket: ListedProgress; superadmin: boolean }) {
  const id = useId();
  const { ticket_number: number, unavailable: count } = ticket;
  return (
    <li>
      <span className={layout.row}>
        <span id={id}>
          <TicketLink ticket={ticket} />
        </span>
        <span className={typography.dim}>{ticket.uploaded_by?.name}</span>
      </span>
      <span className={layout.row}>
        <Link className={styles.nowFailed} to={addressOfFailed(superadmin, number, 'Source unavailable')}>
          {m.home_unavailable_rows({ count, number: formatNumber(count) })}
        </Link>
        <RetryFailed progress={ticket} describedBy={id} />
      </span>
    </li>
  );
}

/** Waiting sources, and credentials and proxies that expire. A failed read is shown with a link to its screen. */
export function useOperations(superadmin: boolean): { lines: Line[]; pending: boolean } {
  const proxies = useQuery({ ...proxySetTimes, enabled: superadmin });
  const services = useQuery({ ...sources, enabled: superadmin });
  const status = useQuery({ ...productStatus, enabled: superadmin });
  const unread = (screen: string, to: string) => ({ key: to, text: m.home_unread({ screen }), to });
  const lines = [
    ...(status.data?.backup_overdue
      ? [{ key: 'backup', text: m.home_backup_overdue(), to: paths.status }]
      : []),
    ...(status.isError ? [unread(m.common_menu_status(), paths.status)] : []),
    ...(services.isError ? [unread(m.common_menu_sources(), paths.sources)] : []),
    ...(services.data?.data ?? []).flatMap((source) => {
      const { name, label, state, reason, credentials_end: end } = source;
      const waits = state === 'waiting' || reason === 'paused';
      const why = waits ? nameReason(source) : '';
      return [
        ...(waits ? [{ key: name, text: m.home_source_waits({ label, why }), to: paths.sources }] : []),
        ...(end !== null && endsWithin(end, certificateDays) && reason !== 'disabled'
          ? [{ key: `${name} ends`, text: describeCertificate(label, end), to: paths.sources }]
          : []),
      ];
    }),
    ...(proxies.isError ? [unread(m.common_menu_proxies(), paths.proxies)] : []),
    ...(proxies.data?.data ?? [])
      .filter(({ status, expire_date: end }) => status === 'Active' && endsWithin(end, proxyDays))
      .map(({ proxy_set: name, remaining_time: time }) => ({
        key: name,
        text: m.home_proxies_end({ name, time: time ?? '' }),
        to: paths.proxies,
      })),
  ];
  return { lines, pending: [proxies, services, status].some(({ isLoading }) => isLoading) };
}

function endsWithin(end: string, days: number): boolean {
  return Date.parse(end) - Date.now() < days * dayMs;
}

function describeCertificate(label: string, end: string): string {
  const time = formatInstant(end);
  return Date.parse(end) < Date.now()
    ? m.home_certificate_ended({ label, time })
    : m.home_certificate_ends({ label, time });
}
