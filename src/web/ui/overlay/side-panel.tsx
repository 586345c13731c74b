import { Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { m } from '#shared/texts/messages.js';
import { isWriting } from '#web/browser/keyboard.ts';
import { IconButton } from '../action/icon-button.tsx';
import panels from '../layout/panel.module.css';
import { useLayer } from './layer.ts';
import { useFocusBack } from './move-focus.ts';
import './modal-styles.ts';
import styles from './side-panel.module.css';

type Props = {
  title: ReactNode;
  /** Goes to the previous or next row; undefined where there is none. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose: () => void;
  children: ReactNode;
};

/**
 * The details of one row, shown while mounted: beside the list where the window is wide (its parent has the class `beside` of panels),
 * otherwise over it. Arrow keys go through the list, Escape closes it.
 */
export function SidePanel(props: Props) {
  const isWide = useMediaQuery('(min-width: 1600px)', undefined, { getInitialValueInEffect: false });
  return isWide ? <Beside {...props} /> : <Over {...props} />;
}

/** Returns how a panel goes from the open row of a list to the rows beside it. */
export function rowsBeside<Row extends { _id: string }>(
  rows: readonly Row[],
  openId: string | undefined,
  open: (row: Row) => void,
): Pick<Props, 'onPrevious' | 'onNext'> {
  const place = rows.findIndex(({ _id }) => _id === openId);
  const opens = (row: Row | undefined) => row && (() => open(row));
  if (place < 0) return { onPrevious: undefined, onNext: undefined };
  return { onPrevious: opens(rows[place - 1]), onNext: opens(rows[place + 1]) };
}

function Over(props: Props) {
  useFocusBack();
  useLayer(props.onClose, (event) => move(event, props));
  return (
    <Drawer.Root
      opened
      onClose={props.onClose}
      closeOnEscape={false}
      position="right"
      size={420}
      returnFocus={false}
      classNames={{ content: styles.sidePanel ?? '' }}
    >
      <Drawer.Overlay />
      <Drawer.Content>
        <Contents {...props} heading={<Drawer.Title>{props.title}</Drawer.Title>} />
      </Drawer.Content>
    </Drawer.Root>
  );
}

function Beside(props: Props) {
  const id = useId();
  const element = useRef<HTMLElement>(null);
  useFocusBack(element);
  useEffect(() => {
    // A panel that the address of the page opened does not take the focus.
    if (document.activeElement !== document.body) element.current?.focus();
  }, []);
  return (
    <section
      ref={element}
      className={`${panels.panel} ${styles.sidePanel} ${styles.inPage}`}
      aria-labelledby={id}
      tabIndex={-1}
      onKeyDown={(event) => {
        // React also bubbles the keys of a dialog that was opened from this panel.
        if (!event.currentTarget.contains(event.target as Node)) return;
        if (event.key === 'Escape') props.onClose();
        else move(event, props);
      }}
    >
      <Contents {...props} heading={<h2 id={id}>{props.title}</h2>} />
    </section>
  );
}

type Press = Pick<KeyboardEvent, 'key' | 'preventDefault'> & { target: EventTarget | null };

function move(event: Press, { onPrevious, onNext }: Props) {
  const go = { ArrowUp: onPrevious, ArrowDown: onNext }[event.key];
  if (!go || isWriting(event.target)) return;
  event.preventDefault();
  go();
}

function Contents({ heading, onPrevious, onNext, onClose, children }: Props & { heading: ReactNode }) {
  const size = 18;
  const button = (label: string, icon: ReactNode, onPress: (() => void) | undefined) => (
    <IconButton label={label} disabled={onPress === undefined} onPress={() => onPress?.()}>
      {icon}
    </IconButton>
  );
  return (
    <>
      <div className={styles.sidePanelHead}>
        {heading}
        {button(m.common_previous_row(), <IconChevronUp size={size} aria-hidden="true" />, onPrevious)}
        {button(m.common_next_row(), <IconChevronDown size={size} aria-hidden="true" />, onNext)}
        {button(m.common_close(), <IconX size={size} aria-hidden="true" />, onClose)}
      </div>
      <div className={styles.sidePanelBody}>{children}</div>
    </>
  );
}
