import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'react-router';
import { type DeviceFigures, figuresQuery } from '#features/devices/web/devices.api.ts';
import { productStatus } from '#features/operations/web/operations.api.ts';
import { proxySets } from '#features/proxies/web/proxies.api.ts';
import { addressOfFailed } from '#features/results/web/row-addresses.view.ts';
import { RetryFailed } from '#features/results/web/ticket/retry-failed.view.tsx';
import { nameReason } from '#features/sources/web/source-state.view.tsx';
import { sources } from '#features/sources/web/sources.api.ts';
import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import type { ListedProgress, Progress } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { formatInstant, formatNumber } from '#web/format/format.ts';
import { MoreLine, most, NowPanel, TicketLink } from './now-panel.tsx';

/** Days before the end when a notice appears. A new certificate takes longer to get than new proxies. */
const proxyDays = 7;
const certificateDays = 30;
const dayMs = 24 * 60 * 60 * 1000;
const minuteMs = 60_000;

type Props = { tickets: readonly ListedProgress[] | undefined; superadmin: boolean };
type Line = { key: string; text: string; to: string };

/** Coverage that ends soon and failed tickets; for superadmins also waiting sources, and proxies and credentials that expire. */
export function Attention({ tickets, superadmin }: Props) {
  const { data: devices, isLoading } = useQuery(figuresQuery('', '0'));
  const coverage = listCoverageEnding(devices?.ending_months[0]);
  const operations = useOperations(superadmin);
  const failed = (tickets ?? []).filter(
    (ticket) => !isRunning(ticket) && ticket.failed > 0 && !ticket.data_deleted,
  );
  const left = failed.length - most;
  return (
    <NowPanel
      name="attention"
      title={m.home_attention()}
      none={m.home_attention_none()}
      usual={2}
      pending={tickets === undefined || isLoading || operations.pending}
    >
      {[
        ...[...coverage, ...operations.lines].map(({ key, text, to }) => (
          <li key={key} className="now-waiting">
            <Link to={to}>{text}</Link>
          </li>
        )),
        ...failed
          .slice(0, most)
          .map((ticket) => <FailedLine key={ticket.ticket_number} ticket={ticket} superadmin={superadmin} />),
        left > 0 && <MoreLine key="more" count={left} to={paths.figureOf('failed')} />,
      ]}
    </NowPanel>
  );
}

function FailedLine({ ticket, superadmin }: { ticket: Progress; superadmin: boolean }) {
  const id = useId();
  const { ticket_number: number, failed: count } = ticket;
  return (
    <li>
      <span id={id}>
        <TicketLink number={number} />
      </span>
      <span className="row">
        <Link className="now-failed" to={addressOfFailed(superadmin, number)}>
          {m.home_failed_rows({ count, number: formatNumber(count) })}
        </Link>
        <RetryFailed progress={ticket} describedBy={id} />
      </span>
    </li>
  );
}

function listCoverageEnding(ending: DeviceFigures['ending_months'][number] | undefined): Line[] {
  if (ending === undefined || ending.devices === 0) return [];
  const { from, to, devices: count } = ending;
  const text = m.home_ending({ count, number: formatNumber(count) });
  return [{ key: 'ending', text, to: paths.devicesOf(`ends_from=${from}&ends_to=${to}`) }];
}

/** Waiting sources, and credentials and proxies that expire. A failed read is shown with a link to its screen. */
function useOperations(superadmin: boolean): { lines: Line[]; pending: boolean } {
  const proxies = useQuery({ ...proxySets, enabled: superadmin });
  const services = useQuery({ ...sources, refetchInterval: minuteMs, enabled: superadmin });
  const status = useQuery({ ...productStatus, refetchInterval: minuteMs, enabled: superadmin });
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
