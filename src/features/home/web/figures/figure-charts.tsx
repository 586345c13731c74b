import { useQuery } from '@tanstack/react-query';
import type { HomeSummary } from '#features/home/home.contract.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { formatMonth, formatNumber, formatRupiah, formatShortDay } from '#web/format/format.ts';
import { type Bar, BarChart } from '#web/ui/chart/bar-chart.tsx';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { homeSummaryQuery } from '../home.api.ts';
import './figure-charts.css';

const barOf = (label: string, value: number, to: string, tone?: NonNullable<Bar['tone']>): Bar => ({
  label,
  value,
  shown: formatNumber(value),
  ...(value > 0 && { to }),
  ...(tone && { tone }),
});

function describeDevices({ activated, unactivated, unknown, failed }: HomeSummary['devices']): Bar[] {
  return [
    barOf(m.data_activated(), activated, paths.figureOf('activated'), 'green'),
    barOf(m.data_unactivated(), unactivated, paths.figureOf('unactivated'), 'grey'),
    barOf(m.home_unknown(), unknown, paths.figureOf('unknown'), 'grey'),
    barOf(m.data_failed(), failed, paths.figureOf('failed'), 'red'),
  ];
}

/** The charts of the caller's devices, each with a table; a note in place of a chart without data. */
export function FigureCharts() {
  const read = useQuery(homeSummaryQuery);
  return (
    <ReadState read={read} boxed>
      {(summary) =>
        summary ? (
          drawCharts(summary)
        ) : (
          <div className="figure-charts">
            <PanelSkeleton height={280} count={2} />
          </div>
        )
      }
    </ReadState>
  );
}

function drawCharts(data: HomeSummary) {
  const chart = (
    title: string,
    direction: 'rows' | 'columns',
    names: string,
    values: string,
    bars: Bar[],
  ) => (
    <Panel title={title}>
      {bars.some((bar) => bar.value > 0) ? (
        <BarChart label={title} direction={direction} nameHeader={names} valueHeader={values} bars={bars} />
      ) : (
        <EmptyState title={m.home_nothing_yet()} />
      )}
    </Panel>
  );
  return (
    <div className="figure-charts">
      {chart(m.home_devices(), 'rows', m.home_activation(), m.home_count(), describeDevices(data.devices))}
      {chart(
        m.home_coverage_ending(),
        'columns',
        m.home_month(),
        m.home_count(),
        data.coverage_ending.map((entry, month) =>
          barOf(
            formatMonth(entry.from),
            entry.devices,
            paths.figureOf('ending', entry.from),
            month === 0 ? 'yellow' : undefined,
          ),
        ),
      )}
      {data.serials_per_day !== null &&
        chart(
          m.home_serials_per_day(),
          'columns',
          m.home_day(),
          m.home_serials(),
          data.serials_per_day.map((entry) =>
            barOf(formatShortDay(entry.day), entry.serials, paths.figureOf('processed', entry.day)),
          ),
        )}
      {data.revenue !== null &&
        chart(
          m.home_revenue(),
          'rows',
          m.home_company(),
          m.home_revenue_value(),
          data.revenue.map((entry) => ({
            label: `${entry.company_code} (${entry.company_name})`,
            value: entry.total_amount,
            shown: formatRupiah(entry.total_amount),
            to: paths.ticketsOf(entry.company_code),
          })),
        )}
    </div>
  );
}
