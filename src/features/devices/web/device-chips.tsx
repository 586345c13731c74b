import { useQuery } from '@tanstack/react-query';
import type { listDevices } from '#features/devices/devices.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { Chip, Chips } from '#web/ui/field/chip.tsx';
import { anyEnd, type DeviceFilter, isNarrowed, noFilter } from './device-filter.ts';
import { figuresQuery } from './devices.api.ts';

type Counts = NonNullable<Answer<typeof listDevices>['counts']>;

type Props = {
  filter: DeviceFilter;
  counts: Counts | undefined;
  onFilter: (change: Partial<DeviceFilter>) => void;
};

/** The filters at one press, with the counts of all devices. */
export function DeviceChips({ filter, counts, onFilter }: Props) {
  const { data: figures } = useQuery(figuresQuery(filter.company_code, '1'));
  const chips: {
    count: number | undefined;
    label: string;
    choice: Partial<DeviceFilter>;
    without: Partial<DeviceFilter>;
  }[] = [
    ...(['activated', 'unactivated', 'unknown'] as const).map((activation) => ({
      count: counts?.[activation],
      label: { activated: m.data_activated, unactivated: m.data_unactivated, unknown: m.results_unknown }[
        activation
      ](),
      choice: { activation },
      without: { activation: '' } as const,
    })),
    { count: counts?.ending_30, label: m.results_ending(), choice: { ends_within: '30' }, without: anyEnd },
    { count: counts?.expired, label: m.data_expired(), choice: { expired: 'true' }, without: anyEnd },
    ...(['60', '90', '180'] as const).map((days) => ({
      count: figures?.[`ending_${days}`],
      label: m.devices_ending({ days }),
      choice: { ends_within: days },
      without: anyEnd,
    })),
    {
      count: figures?.never_covered,
      label: m.devices_never(),
      choice: { never_covered: 'true' },
      without: anyEnd,
    },
    ...(['7', '30'] as const).map((days) => ({
      count: figures?.[`changed_${days}`],
      label: m.devices_changed_within({ days }),
      choice: { changed_since: figures?.[`since_${days}`] ?? '' },
      without: { changed_since: '' },
    })),
  ];
  const isChosen = (choice: Partial<DeviceFilter>) =>
    Object.entries(choice).every(
      ([name, value]) => value !== '' && filter[name as keyof DeviceFilter] === value,
    );
  return (
    <Chips label={m.devices_filter()}>
      <Chip
        label={m.results_all()}
        count={counts?.all}
        pressed={!isNarrowed(filter)}
        onPress={() => onFilter(noFilter)}
      />
      {chips.map(({ count, label, choice, without }) => (
        <Chip
          key={label}
          label={label}
          count={count}
          pressed={isChosen(choice)}
          onPress={(press) => onFilter({ ...without, ...(press && choice) })}
        />
      ))}
    </Chips>
  );
}
