import type { ComponentProps } from 'react';
import type { DeviceChanges } from '#features/devices/devices.contract.ts';
import { describeChanges } from '#features/devices/web/describe-changes.view.ts';
import { m } from '#shared/texts/messages.js';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';
import { Chip, Chips } from '#web/ui/field/chip.tsx';
import type { Column } from '#web/ui/table/table-column.ts';
import type { ChangeKind } from '../rechecks.contract.ts';

/** `isFirst`: there was no answer before. */
type KindBadge = Pick<ComponentProps<typeof StatusBadge>, 'tone' | 'mark'> & {
  name: () => string;
  isFirst?: true;
};
export type KindBadges<Kind extends string> = Record<Kind, KindBadge>;

export const kindBadges: KindBadges<ChangeKind> = {
  activated: { name: m.server_change_activated, tone: 'green', mark: 'check' },
  extended: { name: m.server_change_extended, tone: 'green', mark: 'check' },
  ended: { name: m.server_change_ended, tone: 'red', mark: 'cross' },
  not_found: { name: m.server_change_not_found, tone: 'yellow', mark: 'minus' },
  other: { name: m.server_change_other, tone: 'grey', mark: 'minus' },
};

type ChipsProps<Kind extends string> = {
  kinds: KindBadges<Kind>;
  counts: Record<Kind, number> | undefined;
  /** The shown kind; empty for all. */
  kind: Kind | '';
  onChange: (kind: Kind | '') => void;
};

/** Narrows a list of changes to one kind. */
export function KindChips<Kind extends string>({ kinds, counts, kind, onChange }: ChipsProps<Kind>) {
  const names = Object.keys(kinds) as Kind[];
  return (
    <Chips label={m.rechecks_show_changes()}>
      <Chip
        label={m.rechecks_all_changes()}
        count={counts && names.reduce((sum, name) => sum + counts[name], 0)}
        pressed={kind === ''}
        onPress={() => onChange('')}
      />
      {names.map((name) => (
        <Chip
          key={name}
          label={kinds[name].name()}
          count={counts?.[name]}
          pressed={kind === name}
          onPress={(press) => onChange(press ? name : '')}
        />
      ))}
    </Chips>
  );
}

/** The columns of a change's kind and fields. */
export function changeColumns<Kind extends string>(
  kinds: KindBadges<Kind>,
): Column<{ kind: Kind; changes: DeviceChanges }>[] {
  return [
    {
      key: 'kind',
      card: 'state',
      header: m.server_change_kind,
      kind: 'state',
      width: 154,
      cell: ({ kind }) => {
        const { name, tone, mark } = kinds[kind];
        return <StatusBadge tone={tone} mark={mark} title={name()} text={name()} />;
      },
    },
    {
      key: 'changes',
      card: 'line',
      header: m.rechecks_changes_column,
      kind: 'prose',
      cell: ({ kind, changes }) => describeChanges(changes, kinds[kind].isFirst).join('; ') || '–',
    },
  ];
}
