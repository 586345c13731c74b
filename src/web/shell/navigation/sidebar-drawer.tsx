import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLayer } from '#web/ui/overlay/layer.ts';
import { useFocusBack } from '#web/ui/overlay/move-focus.ts';
import '#web/ui/overlay/modal-styles.ts';
import styles from '#web/shell/shell.module.css';

type Props = { label: string; onClose: () => void; children: ReactNode };

export default function SidebarDrawer({ label, onClose, children }: Props) {
  useFocusBack();
  useLayer(onClose);
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      closeOnEscape={false}
      size={300}
      returnFocus={false}
      classNames={{ content: `${styles.drawer}` }}
    >
      <Drawer.Overlay />
      <Drawer.Content aria-label={label}>{children}</Drawer.Content>
    </Drawer.Root>
  );
}
