import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { figuresQuery } from '#features/devices/web/devices.api.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { formatNumber } from '#web/format/format.ts';
import { NowPanel } from './now-panel.tsx';

/** The numbers of devices that are covered, end soon or changed, each a link to their list. */
export function KnownDevices() {
  const { data, isError } = useQuery(figuresQuery('', '0'));
  const lines =
    data === undefined
      ? []
      : [
          { text: m.home_devices_covered, count: data.covered, query: 'expired=false' },
          {
            text: m.home_devices_ending,
            count: data.ending_30,
            query: 'ends_within=30&sort=coverage_end_date',
          },
          { text: m.home_devices_changed_7, count: data.changed_7, query: `changed_since=${data.since_7}` },
          {
            text: m.home_devices_changed_30,
            count: data.changed_30,
            query: `changed_since=${data.since_30}`,
          },
        ];
  return (
    <NowPanel
      name="devices"
      title={m.home_known_devices()}
      none={m.home_known_devices_none()}
      usual={5}
      pending={data === undefined && !isError}
    >
      {isError
        ? [
            <li key="unread">
              <Link to={paths.devices}>{m.home_unread({ screen: m.common_menu_devices() })}</Link>
            </li>,
          ]
        : lines
            .filter(({ count }) => count > 0)
            .map(({ text, count, query }) => (
              <li key={query}>
                <Link to={paths.devicesOf(query)}>{text({ count, number: formatNumber(count) })}</Link>
              </li>
            ))}
    </NowPanel>
  );
}
