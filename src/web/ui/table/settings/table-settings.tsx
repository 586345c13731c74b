import { Popover } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { useOverlayCode } from '#web/ui/overlay/use-overlay-code.ts';
import type { TableSettingsProps } from './table-settings-panel.tsx';
import '@mantine/core/styles/Popover.layer.css';
import buttons from '#web/styles/buttons.module.css';
import styles from './table-settings.module.css';

const loadPanel = () => import('./table-settings-panel.tsx');

/** The button of a table that opens its settings. Their code is fetched at the first press. */
export function TableSettings(props: TableSettingsProps) {
  const [wanted, setWanted] = useState(false);
  const panel = useOverlayCode(loadPanel, { enabled: wanted, onClose: () => setWanted(false) });
  const name = m.common_table_settings();
  return (
    <Popover
      // It opens with its content: the focus moves into it only while it opens.
      opened={wanted && panel !== undefined}
      onChange={setWanted}
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
          onClick={() => setWanted(!wanted)}
        >
          <IconColumns3 size={18} aria-hidden="true" />
        </button>
      </Popover.Target>
      <Popover.Dropdown className={styles.tableSettings}>
        {panel && <panel.default {...props} />}
      </Popover.Dropdown>
    </Popover>
  );
}
