import { Button, Checkbox, Popover, Radio } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconColumns3,
  IconMinus,
  IconPin,
  IconPinFilled,
  IconPlus,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { m } from '#shared/texts/messages.js';
import { densities, setDensity, useDensity } from './table-density.ts';
import type { ColumnTable } from './use-columns.ts';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Radio.layer.css';
import buttons from '#web/styles/buttons.module.css';
import layout from '#web/styles/layout.module.css';
import styles from './table-settings.module.css';

type Props = { columns: readonly { key: string; header: () => string }[]; table: ColumnTable };

export function TableSettings(props: Props) {
  const name = m.common_table_settings();
  return (
    <Popover
      position="bottom-end"
      offset={4}
      trapFocus
      returnFocus
      middlewares={{ size: { padding: 8 }, shift: { padding: 8 } }}
    >
      <Popover.Target>
        <button
          type="button"
          className={`${buttons.iconButton} ${styles.tableSettingsButton}`}
          aria-label={name}
          title={name}
        >
          <IconColumns3 size={18} aria-hidden="true" />
        </button>
      </Popover.Target>
      <Popover.Dropdown className={styles.tableSettings}>
        <Settings {...props} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Pixels that a press on "wider" adds. */
const step = 16;
const size = 16;

function Settings({ columns, table }: Props) {
  const density = useDensity();
  const names = new Map(columns.map(({ key, header }) => [key, header()]));
  const ordered = table.getAllLeafColumns();
  const heights = {
    compact: m.common_row_compact(),
    normal: m.common_row_normal(),
    roomy: m.common_row_roomy(),
  };
  const move = (from: number, by: -1 | 1) => {
    const keys = ordered.map(({ id }) => id);
    keys.splice(from + by, 0, ...keys.splice(from, 1));
    table.setColumnOrder(keys);
  };
  const reset = () => {
    table.resetColumnOrder(true);
    table.resetColumnVisibility(true);
    table.resetColumnPinning(true);
    table.resetColumnSizing(true);
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
          const { id } = column;
          const name = names.get(id) ?? id;
          const pinned = !column.getCanPin() || column.getIsPinned() !== false;
          const widen = (by: number) =>
            table.setColumnSizing((widths) => ({ ...widths, [id]: column.getSize() + by }));
          return (
            <li key={id}>
              <Checkbox
                size="xs"
                label={name}
                checked={!column.getCanHide() || column.getIsVisible()}
                disabled={!column.getCanHide()}
                onChange={() => column.toggleVisibility()}
              />
              <Action
                label={m.common_column_up({ name })}
                disabled={index === 0}
                onAct={() => move(index, -1)}
              >
                <IconArrowUp size={size} aria-hidden="true" />
              </Action>
              <Action
                label={m.common_column_down({ name })}
                disabled={index === ordered.length - 1}
                onAct={() => move(index, 1)}
              >
                <IconArrowDown size={size} aria-hidden="true" />
              </Action>
              <Action label={m.common_column_narrower({ name })} onAct={() => widen(-step)}>
                <IconMinus size={size} aria-hidden="true" />
              </Action>
              <Action label={m.common_column_wider({ name })} onAct={() => widen(step)}>
                <IconPlus size={size} aria-hidden="true" />
              </Action>
              <Action
                label={m.common_column_pin({ name })}
                pressed={pinned}
                disabled={!column.getCanPin()}
                onAct={() => column.pin(pinned ? false : 'start')}
              >
                {pinned ? (
                  <IconPinFilled size={size} aria-hidden="true" />
                ) : (
                  <IconPin size={size} aria-hidden="true" />
                )}
              </Action>
            </li>
          );
        })}
      </ul>
      <Button className={styles.tableReset} variant="default" size="compact-sm" onClick={reset}>
        {m.common_table_reset()}
      </Button>
    </div>
  );
}

type ActionProps = {
  label: string;
  disabled?: boolean;
  pressed?: boolean;
  onAct: () => void;
  children: ReactNode;
};

function Action({ label, disabled, pressed, onAct, children }: ActionProps) {
  return (
    <button
      type="button"
      className={buttons.iconButton}
      aria-label={label}
      aria-pressed={pressed}
      title={label}
      disabled={disabled}
      onClick={onAct}
    >
      {children}
    </button>
  );
}
