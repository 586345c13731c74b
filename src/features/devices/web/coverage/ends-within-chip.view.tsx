import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format/format.ts';
import { ChoiceChip } from '#web/ui/field/chip.tsx';

/** The days within which coverage ends, as filters of one press. */
export const endsWithin = ['30', '60', '90', '180'] as const;

type EndsWithin = (typeof endsWithin)[number];

/** Names the filter by coverage that ends within some days. */
export function nameEndsWithin(days: string): string {
  const count = Number(days);
  return m.devices_ending({ count, number: formatNumber(count) });
}

type Props = {
  chosen: string;
  /** The number of rows of a choice; undefined while loading, null without a count. */
  countOf: (days: EndsWithin) => number | null | undefined;
  /** Gets an empty text when the chosen days are pressed again. */
  onChoose: (days: EndsWithin | '') => void;
};

/** The chip "Ends within 30 60 90 180 days", of devices and of results. */
export function EndsWithinChip({ chosen, countOf, onChoose }: Props) {
  return (
    <ChoiceChip
      lead={m.results_ends_within()}
      unit={m.data_upload_fresh_unit()}
      choices={endsWithin.map((days) => ({
        name: nameEndsWithin(days),
        label: days,
        count: countOf(days),
        pressed: chosen === days,
        onPress: (press) => onChoose(press ? days : ''),
      }))}
    />
  );
}
