import { Fragment } from 'react';
import { EndsWithinChip } from '#features/devices/web/coverage/ends-within-chip.view.tsx';
import { anyEndOfCoverage } from '#features/devices/web/list-filter.view.ts';
import { translateReason } from '#features/imports/failure-texts.shared.ts';
import type { RowCounts } from '#features/results/results.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatDay } from '#web/format/format.ts';
import { Chip, Chips } from '#web/ui/field/chip.tsx';
import { listReasons } from '../results.api.ts';
import { anyOutcome, type RowFilter, rowFilter } from './row-filter.view.ts';

type Choice = {
  count: Exclude<keyof RowCounts, 'reasons'>;
  label: () => string;
  choice: Partial<RowFilter>;
  /** The filters of the chip's group, cleared. Pressing the chip again applies them. */
  without: Partial<RowFilter>;
};

const chips: readonly Choice[] = [
  {
    count: 'activated',
    label: m.data_activated,
    choice: { activation: 'activated' },
    without: anyOutcome,
  },
  {
    count: 'unactivated',
    label: m.data_unactivated,
    choice: { activation: 'unactivated' },
    without: anyOutcome,
  },
  { count: 'unknown', label: m.results_unknown, choice: { activation: 'unknown' }, without: anyOutcome },
  { count: 'failed', label: m.data_failed, choice: { state: 'failed' }, without: anyOutcome },
  { count: 'expired', label: m.data_expired, choice: { expired: 'true' }, without: anyEndOfCoverage },
  { count: 'pending', label: m.data_pending, choice: { state: 'pending' }, without: anyOutcome },
];

type ReasonProps = {
  filter: RowFilter;
  counts: RowCounts | undefined;
  onFilter: (change: Partial<RowFilter>) => void;
};

export function RowChips({ filter, counts, onFilter }: ReasonProps) {
  const isChosen = (choice: Partial<RowFilter>) =>
    Object.entries(choice).every(([name, value]) => filter[name as keyof RowFilter] === value);
  return (
    <Chips label={m.results_filter()}>
      <Chip
        label={m.results_all()}
        count={counts?.all}
        pressed={!rowFilter.isNarrowed(filter)}
        onPress={() => onFilter(rowFilter.none)}
      />
      {(filter.ends_from !== '' || filter.ends_to !== '') && (
        // The month in the address. Pressing its chip removes it.
        <Chip label={describeDays(filter)} count={null} pressed onPress={() => onFilter(anyEndOfCoverage)} />
      )}
      {chips.map(({ count, label, choice, without }) => (
        <Fragment key={count}>
          {/* The ends of coverage stand together. */}
          {count === 'expired' && (
            <EndsWithinChip
              chosen={filter.ends_within}
              countOf={(days) => (days === '30' ? counts?.ending_30 : null)}
              onChoose={(ends_within) => onFilter({ ...anyEndOfCoverage, ends_within })}
            />
          )}
          <Chip
            label={label()}
            count={counts?.[count]}
            pressed={isChosen(choice)}
            onPress={(press) => onFilter({ ...without, ...(press && choice) })}
          />
        </Fragment>
      ))}
    </Chips>
  );
}

/** The reasons of the rows that failed, each with its count, while those are shown. */
export function ReasonChips({ filter, counts, onFilter }: ReasonProps) {
  const reasons = listReasons(counts);
  if (filter.state !== 'failed' || reasons.length === 0) return null;
  return (
    <Chips label={m.results_reasons()}>
      {reasons.map(([reason, count]) => (
        <Chip
          key={reason}
          label={translateReason(reason)}
          count={count}
          pressed={filter.reason === reason}
          onPress={(press) => onFilter({ reason: press ? reason : '' })}
        />
      ))}
    </Chips>
  );
}

function describeDays({ ends_from: from, ends_to: to }: RowFilter): string {
  return m.results_ends_between({ from: formatDay(from || null), to: formatDay(to || null) });
}
