import { Button, Checkbox, Radio } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconMinus, IconPin, IconPinFilled, IconPlus } from '@tabler/icons-react';
import { m } from '#shared/texts/messages.js';
import { IconButton } from '../../action/icon-button.tsx';
import type { Column } from '../table-column.ts';
import { type ColumnSettings, defaultSettings, inOrder, widthOf } from './column-settings.ts';
import { densities, setDensity, useDensity } from './table-density.ts';
import '@mantine/core/styles/Radio.layer.css';
import layout from '#web/styles/layout.module.css';
import styles from './table-settings-panel.module.css';

export type TableSettingsProps = {
  columns: readonly Pick<Column<never>, 'key' | 'header' | 'kind' | 'width' | 'pinned'>[];
  settings: ColumnSettings;
  onChange: (changed: Partial<ColumnSettings>) => void;
};

/** Pixels that a press on "wider" adds. */
const step = 16;
const size = 16;

/** The height of rows, and the columns of a table: which are shown, in what order, how wide, and which stay in sight. */
export default function TableSettingsPanel({ columns, settings, onChange }: TableSettingsProps) {
  const density = useDensity();
  const ordered = inOrder(columns, settings.order);
  const heights = {
    compact: m.common_row_compact(),
    normal: m.common_row_normal(),
    roomy: m.common_row_roomy(),
  };
  const move = (from: number, by: -1 | 1) => {
    const order = ordered.map(({ key }) => key);
    order.splice(from + by, 0, ...order.splice(from, 1));
    onChange({ order });
  };

  return (
    <div className={layout.tightStack}>
      <fieldset className={styles.tableHeights}>
        <legend>{m.common_row_height()}</legend>
        {densities.map((name) => (
          <Radio
            key={name}
            size="xs"
            name="density"
            label={heights[name]}
            checked={name === density}
            onChange={() => setDensity(name)}
          />
        ))}
      </fieldset>
      <h3>{m.common_columns()}</h3>
      <ul className={styles.tableColumns}>
        {ordered.map((column, index) => {
          const { key, header, pinned: isFixed = false } = column;
          const name = header();
          const isHidden = !isFixed && settings.hidden.includes(key);
          const isPinned = isFixed || settings.pinned.includes(key);
          const widen = (by: number) =>
            onChange({ widths: { ...settings.widths, [key]: widthOf(column, settings) + by } });
          return (
            <li key={key}>
              <Checkbox
                size="xs"
                label={name}
                checked={!isHidden}
                disabled={isFixed}
                onChange={() => onChange({ hidden: toggle(settings.hidden, key) })}
              />
              <IconButton
                label={m.common_column_up({ name })}
                disabled={index === 0}
                onPress={() => move(index, -1)}
              >
                <IconArrowUp size={size} aria-hidden="true" />
              </IconButton>
              <IconButton
                label={m.common_column_down({ name })}
                disabled={index === ordered.length - 1}
                onPress={() => move(index, 1)}
              >
                <IconArrowDown size={size} aria-hidden="true" />
              </IconButton>
              <IconButton label={m.common_column_narrower({ name })} onPress={() => widen(-step)}>
                <IconMinus size={size} aria-hidden="true" />
              </IconButton>
              <IconButton label={m.common_column_wider({ name })} onPress={() => widen(step)}>
                <IconPlus size={size} aria-hidden="true" />
              </IconButton>
              <IconButton
                label={m.common_column_pin({ name })}
                pressed={isPinned}
                disabled={isFixed}
                onPress={() => onChange({ pinned: toggle(settings.pinned, key) })}
              >
                {isPinned ? (
                  <IconPinFilled size={size} aria-hidden="true" />
                ) : (
                  <IconPin size={size} aria-hidden="true" />
                )}
              </IconButton>
            </li>
          );
        })}
      </ul>
      <Button
        className={styles.tableReset}
        variant="default"
        size="compact-sm"
        onClick={() => onChange(defaultSettings)}
      >
        {m.common_table_reset()}
      </Button>
    </div>
  );
}

/** Adds a key to others, or takes it away. */
function toggle(keys: readonly string[], key: string): string[] {
  return keys.includes(key) ? keys.filter((other) => other !== key) : [...keys, key];
}
