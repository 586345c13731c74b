import { Button } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { figuresQuery } from '#features/devices/web/devices.api.ts';
import { openInvoicesQuery } from '#features/invoices/web/invoices.api.ts';
import { activityQuery } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { formatMonth, formatNumber, formatRupiah } from '#web/format/format.ts';
import { PartNotRead } from '#web/ui/feedback/part-not-read.tsx';
import panels from '#web/ui/layout/panel.module.css';
import { Ending90 } from '../figures/ending-90.tsx';
import { homeSummaryQuery } from '../home.api.ts';
import styles from './lead.module.css';

/** The three figures that a day begins with. */
export function Lead({ superadmin }: { superadmin: boolean }) {
  return (
    <ul className={styles.figures} aria-label={m.home_lead()}>
      {superadmin ? <BusinessFigures /> : <DeviceFigures />}
    </ul>
  );
}

function DeviceFigures() {
  const { data, isError } = useQuery(figuresQuery('', '0'));
  const month = data?.ending_months[0];
  const hintOf = (text: ReactNode) =>
    isError ? m.home_unread({ screen: m.common_menu_devices() }) : data === undefined ? null : text;
  return (
    <>
      <Figure name={m.home_covered()} value={data?.covered} to={paths.devicesOf('expired=false')}>
        {hintOf(
          <>
            <span>{m.home_of_known({ number: formatNumber(data?.all ?? 0) })}</span>
            <Changed changed={data} />
          </>,
        )}
      </Figure>
      <Figure
        name={m.home_ending_30()}
        value={data?.ending_30}
        to={paths.devicesOf('ends_within=30&sort=coverage_end_date')}
      >
        {hintOf(
          <>
            {month && month.devices > 0 ? (
              <Link to={paths.devicesOf(`ends_from=${month.from}&ends_to=${month.to}`)}>
                {m.home_ending({ count: month.devices, number: formatNumber(month.devices) })}
              </Link>
            ) : (
              <span>{m.home_ending_none()}</span>
            )}
            <Ending90 count={data?.ending_90 ?? 0} />
          </>,
        )}
      </Figure>
      <Figure
        name={m.home_unactivated()}
        value={data?.unactivated}
        to={paths.devicesOf('activation=unactivated')}
      >
        {hintOf(m.home_unactivated_hint())}
      </Figure>
    </>
  );
}

type Changes = { changed_7: number; changed_30: number; since_7: string; since_30: string };

/** A link to the devices that changed in the last 7 days, or else in the last 30. */
function Changed({ changed }: { changed: Changes | undefined }) {
  if (changed === undefined || changed.changed_30 === 0) return null;
  const [text, count, since] =
    changed.changed_7 > 0
      ? [m.home_devices_changed_7, changed.changed_7, changed.since_7]
      : [m.home_devices_changed_30, changed.changed_30, changed.since_30];
  return (
    <Link to={paths.devicesOf(`changed_since=${since}`)}>{text({ count, number: formatNumber(count) })}</Link>
  );
}

function BusinessFigures() {
  const summary = useQuery(homeSummaryQuery);
  const invoices = useQuery(openInvoicesQuery);
  // The shell polls it.
  const activity = useQuery({ ...activityQuery, enabled: false });
  const revenue = summary.data?.revenue_month;
  const open = invoices.data?.open;
  const month = revenue?.month ?? new Date().toISOString().slice(0, 7);
  const revenueName = m.home_revenue_of({ month: formatMonth(month) });
  return (
    <>
      <Figure
        name={revenueName}
        value={revenue ? formatRupiah(revenue.total_amount) : undefined}
        to={paths.figureOf('revenue', month)}
      >
        <PartNotRead read={summary} name={revenueName} />
        {revenue && m.home_from_tickets({ count: revenue.tickets, number: formatNumber(revenue.tickets) })}
      </Figure>
      <Figure
        name={m.home_open_invoices()}
        value={open && formatRupiah(open.total)}
        to={`${paths.invoices}?status=issued`}
      >
        <PartNotRead read={invoices} name={m.home_open_invoices()} />
        {open &&
          m.home_open_hint({ number: formatNumber(open.count), overdue: formatNumber(open.overdue_count) })}
      </Figure>
      <Figure name={m.home_running_now()} value={activity.data?.running} to={paths.tracker}>
        <PartNotRead read={activity} name={m.home_running_now()} />
        {activity.data &&
          m.home_rows_left({
            count: activity.data.remaining,
            number: formatNumber(activity.data.remaining),
          })}
      </Figure>
    </>
  );
}

type FigureProps = {
  name: string;
  value: string | number | undefined;
  to: string;
  children: ReactNode;
};

function Figure({ name, value = '–', to, children }: FigureProps) {
  const id = useId();
  return (
    <li className={`${panels.panel} ${styles.figure}`}>
      <span id={id} className={styles.name}>
        {name}
      </span>
      <Link id={`${id}-value`} to={to} className={styles.value} aria-labelledby={`${id} ${id}-value`}>
        {typeof value === 'number' ? formatNumber(value) : value}
      </Link>
      <div className={styles.hint}>{children}</div>
    </li>
  );
}

/** The only panel of Home until the company has a ticket or a device. */
export function FirstVisit() {
  const id = useId();
  return (
    <section className={`${panels.panel} ${styles.first}`} aria-labelledby={id}>
      <h2 id={id}>{m.home_first_title()}</h2>
      <p>{m.home_first_text()}</p>
      <Button component={Link} to={paths.upload} leftSection={<IconUpload size={16} aria-hidden="true" />}>
        {m.common_menu_upload()}
      </Button>
    </section>
  );
}
