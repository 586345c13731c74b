import { Button, Popover } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconColumns3,
  IconMinus,
  IconPin,
  IconPinFilled,
  IconPlus,
} from '@tabler/icons-react';
import { m } from '#shared/texts/messages.js';
import { inOrder, isPinned, type Look, moveColumn, narrowest, plainLook, widest } from './table-layout.ts';
import { densities, setDensity, useDensity } from './table-look.ts';
import '@mantine/core/styles/Popover.layer.css';
import './table-settings.css';

type Named = { key: string; header: () => string; width: number; pinned?: true };
type Props = { columns: readonly Named[]; look: Look; onLook: (look: Look) => void };

/** The button over a table's head that opens its settings. */
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
        <button type="button" className="icon-button table-settings-button" aria-label={name} title={name}>
          <IconColumns3 size={18} aria-hidden="true" />
        </button>
      </Popover.Target>
      <Popover.Dropdown className="table-settings">
        <Settings {...props} />
      </Popover.Dropdown>
    </Popover>
  );
}

const step = 16;
const size = 16;

function Settings({ columns, look, onLook }: Props) {
  const density = useDensity();
  const ordered = inOrder(columns, look);
  const keys = ordered.map(({ key }) => key);
  const heights = {
    compact: m.common_row_compact(),
    normal: m.common_row_normal(),
    roomy: m.common_row_roomy(),
  };

  const toggle = (list: readonly string[], key: string) =>
    list.includes(key) ? list.filter((each) => each !== key) : [...list, key];
  const widen = ({ key, width }: Named, by: number) => {
    const next = Math.min(widest, Math.max(narrowest, (look.widths[key] ?? width) + by));
    onLook({ ...look, widths: { ...look.widths, [key]: next } });
  };

  return (
    <div className="stack tight">
      <fieldset className="table-heights">
        <legend>{m.common_row_height()}</legend>
        {densities.map((name) => (
          <label key={name}>
            <input type="radio" name="density" checked={name === density} onChange={() => setDensity(name)} />
            {heights[name]}
          </label>
        ))}
      </fieldset>
      <h3>{m.common_columns()}</h3>
      <ul className="table-columns">
        {ordered.map((column, place) => {
          const name = column.header();
          const pinned = isPinned(column, look);
          const actions = [
            {
              label: m.common_column_up({ name }),
              icon: <IconArrowUp size={size} aria-hidden="true" />,
              disabled: place === 0,
              act: () => onLook({ ...look, order: moveColumn(keys, column.key, -1) }),
            },
            {
              label: m.common_column_down({ name }),
              icon: <IconArrowDown size={size} aria-hidden="true" />,
              disabled: place === keys.length - 1,
              act: () => onLook({ ...look, order: moveColumn(keys, column.key, 1) }),
            },
            {
              label: m.common_column_narrower({ name }),
              icon: <IconMinus size={size} aria-hidden="true" />,
              disabled: false,
              act: () => widen(column, -step),
            },
            {
              label: m.common_column_wider({ name }),
              icon: <IconPlus size={size} aria-hidden="true" />,
              disabled: false,
              act: () => widen(column, step),
            },
          ];
          return (
            <li key={column.key}>
              <label>
                <input
                  type="checkbox"
                  checked={column.pinned || !look.hidden.includes(column.key)}
                  disabled={column.pinned}
                  onChange={() => onLook({ ...look, hidden: toggle(look.hidden, column.key) })}
                />
                {name}
              </label>
              {actions.map(({ label, icon, disabled, act }) => (
                <button
                  key={label}
                  type="button"
                  className="icon-button"
                  aria-label={label}
                  title={label}
                  disabled={disabled}
                  onClick={act}
                >
                  {icon}
                </button>
              ))}
              <button
                type="button"
                className="icon-button"
                aria-label={m.common_column_pin({ name })}
                title={m.common_column_pin({ name })}
                aria-pressed={pinned}
                disabled={column.pinned}
                onClick={() => onLook({ ...look, pinned: toggle(look.pinned, column.key) })}
              >
                {pinned ? (
                  <IconPinFilled size={size} aria-hidden="true" />
                ) : (
                  <IconPin size={size} aria-hidden="true" />
                )}
              </button>
            </li>
          );
        })}
      </ul>
      <Button className="table-reset" variant="default" size="compact-sm" onClick={() => onLook(plainLook)}>
        {m.common_table_reset()}
      </Button>
    </div>
  );
}
