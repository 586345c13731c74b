import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type DeviceFigures, figuresQuery } from '#features/devices/web/devices.api.ts';
import type { HomeSummary } from '#features/home/home.contract.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { formatMonth, formatNumber, formatRupiah, formatShortDay } from '#web/format/format.ts';
import { type Bar, BarChart } from '#web/ui/chart/bar-chart.tsx';
import { type Read, ReadState } from '#web/ui/feedback/read-state.tsx';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { homeSummaryQuery } from '../home.api.ts';
import { Ending90 } from './ending-90.tsx';
import styles from './figure-charts.module.css';

const barOf = (label: string, value: number, to: string, tone?: NonNullable<Bar['tone']>): Bar => ({
  label,
  value,
  text: formatNumber(value),
  ...(value > 0 && { to }),
  ...(tone && { tone }),
});

/** Charts of the devices in the register, which lead to the list of devices, and for superadmins of all tickets. */
export function FigureCharts({ superadmin }: { superadmin: boolean }) {
  const devices = useQuery(figuresQuery('', '0'));
  const summary = useQuery(homeSummaryQuery);
  return (
    <>
      <Charts read={devices} draw={superadmin ? drawAllDevices : drawDevices} />
      {superadmin && <Charts read={summary} draw={drawTickets} />}
    </>
  );
}

/** Two charts of one read. */
function Charts<T>({ read, draw }: { read: Read<T>; draw: (data: T) => ReactNode }) {
  return (
    <ReadState read={read} boxed>
      {(data) => (
        <div className={styles.figureCharts}>
          {data === undefined ? <PanelSkeleton height={280} count={2} /> : draw(data)}
        </div>
      )}
    </ReadState>
  );
}

type ChartProps = {
  title: string;
  direction: 'rows' | 'columns';
  names: string;
  values: string;
  bars: Bar[];
  more?: ReactNode;
};

/** A chart with a table; nothing without data. */
function Chart({ title, direction, names, values, bars, more }: ChartProps) {
  if (bars.every((bar) => bar.value === 0)) return null;
  return (
    <Panel title={title} toolbar={more}>
      <BarChart label={title} direction={direction} nameHeader={names} valueHeader={values} bars={bars} />
    </Panel>
  );
}

/** As for users, whose figures at the top have the link to the devices that end within 90 days. */
function drawAllDevices(figures: DeviceFigures) {
  return drawDevices(figures, <Ending90 count={figures.ending_90} />);
}

function drawDevices({ activated, unactivated, unknown, ending_months }: DeviceFigures, more?: ReactNode) {
  const ofActivation = (activation: string) => paths.devicesOf(`activation=${activation}`);
  return (
    <>
      <Chart
        title={m.home_devices()}
        direction="rows"
        names={m.home_activation()}
        values={m.home_count()}
        bars={[
          barOf(m.data_activated(), activated, ofActivation('activated'), 'green'),
          barOf(m.data_unactivated(), unactivated, ofActivation('unactivated'), 'grey'),
          barOf(m.home_unknown(), unknown, ofActivation('unknown'), 'grey'),
        ]}
      />
      <Chart
        title={m.home_coverage_ending()}
        more={more}
        direction="columns"
        names={m.home_month()}
        values={m.home_count()}
        bars={ending_months.map(({ from, to, devices }, month) =>
          barOf(
            formatMonth(from),
            devices,
            paths.devicesOf(`ends_from=${from}&ends_to=${to}`),
            month === 0 ? 'yellow' : undefined,
          ),
        )}
      />
    </>
  );
}

function drawTickets({ serials_per_day, revenue }: HomeSummary) {
  return (
    <>
      <Chart
        title={m.home_serials_per_day()}
        direction="columns"
        names={m.home_day()}
        values={m.home_serials()}
        bars={(serials_per_day ?? []).map(({ day, serials }) =>
          barOf(formatShortDay(day), serials, paths.figureOf('processed', day)),
        )}
      />
      <Chart
        title={m.home_revenue()}
        direction="rows"
        names={m.home_company()}
        values={m.home_revenue_value()}
        bars={(revenue ?? []).map(({ company_code, company_name, total_amount }) => ({
          label: `${company_code} (${company_name})`,
          value: total_amount,
          text: formatRupiah(total_amount),
          to: paths.ticketsOf(company_code),
        }))}
      />
    </>
  );
}
