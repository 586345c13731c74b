import { SegmentedControl } from '@mantine/core';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { IconLayoutGrid, IconList } from '@tabler/icons-react';
import { m } from '#shared/texts/messages.js';
import styles from './view-switch.module.css';

export const views = ['cards', 'list'] as const;
type View = (typeof views)[number];

export function ViewSwitch({ value, onChange }: { value: View; onChange: (view: View) => void }) {
  return (
    <SegmentedControl
      classNames={{ label: styles.view }}
      aria-label={m.common_view()}
      color="var(--accent-soft)"
      value={value}
      onChange={onChange}
      data={[
        { value: 'cards', label: label(m.common_view_cards(), IconLayoutGrid) },
        { value: 'list', label: label(m.common_view_list(), IconList) },
      ]}
    />
  );
}

function label(text: string, ViewIcon: typeof IconList) {
  return (
    <span className={styles.viewLabel}>
      <ViewIcon size={16} aria-hidden="true" />
      {text}
    </span>
  );
}
