import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { m } from '#shared/texts/messages.js';
import { useLayer } from './layer.ts';
import { focusFirst, useFocusBack } from './move-focus.ts';
import './modal-styles.ts';
import styles from './dialog.module.css';

/** In pixels. At 1280 a `table` shows the eight columns of a statement whole. */
const widths = { normal: 440, wide: 720, table: 960 };

type Props = {
  title: ReactNode;
  onClose: () => void;
  /** Keeps the dialog open while a call runs. */
  busy?: boolean;
  /** Reads `children` out as the dialog's description. */
  question?: boolean;
  width?: keyof typeof widths;
  children: ReactNode;
  footer?: ReactNode;
  /** Has a "Close" button as its footer. */
  closeButton?: boolean;
};

/** A dialog over the page, shown while it is mounted. The focus starts after the title and returns to the opener. */
export function Dialog({
  title,
  onClose,
  busy = false,
  question = false,
  width = 'normal',
  children,
  footer,
  closeButton = false,
}: Props) {
  useFocusBack();
  useLayer(() => busy || onClose());
  const Body = question ? Modal.Body : 'div';
  const foot = closeButton ? (
    <Button variant="default" onClick={onClose}>
      {m.common_close()}
    </Button>
  ) : (
    footer
  );
  return (
    <Modal.Root
      opened
      onClose={onClose}
      closeOnEscape={false}
      closeOnClickOutside={!busy}
      returnFocus={false}
      size={widths[width]}
      centered
    >
      <Modal.Overlay />
      <Modal.Content className={styles.dialog}>
        <Modal.Header className={styles.dialogHead}>
          <Modal.Title className={styles.dialogTitle}>{title}</Modal.Title>
          <Modal.CloseButton size={32} iconSize={18} aria-label={m.common_close()} disabled={busy} />
        </Modal.Header>
        <div ref={focusFirst}>
          <Body className={styles.dialogBody}>{children}</Body>
          {foot !== undefined && <div className={styles.dialogFoot}>{foot}</div>}
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}
