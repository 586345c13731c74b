import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useSyncExternalStore } from 'react';
import { m } from '#shared/texts/messages.js';
import { DialogToasts } from '#web/ui/feedback/toast.tsx';
import { useModal } from './modal.ts';
import './side-panel.css';

type Props = {
  title: ReactNode;
  /** Goes to the one before or the next one; undefined where there is none. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose: () => void;
  children: ReactNode;
};

const wide = matchMedia('(min-width: 1600px)');

function followWidth(listener: () => void): () => void {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
}

/**
 * One thing of a list, told in full while it is mounted: beside the list where the window is wide (its parent is a
 * `.beside`), else over it. Arrow keys go through the list, Escape closes it.
 */
export function SidePanel(props: Props) {
  const isWide = useSyncExternalStore(followWidth, () => wide.matches);
  return isWide ? <Beside {...props} /> : <Over {...props} />;
}

function Over(props: Props) {
  const id = useId();
  const { onKeyDown, ...modal } = useModal({ onClose: props.onClose, startIn: '.side-panel-head' });
  return (
    <dialog
      {...modal}
      className="side-panel over"
      aria-labelledby={id}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        move(event, props);
      }}
    >
      <Contents id={id} {...props} />
      <DialogToasts />
    </dialog>
  );
}

function Beside(props: Props) {
  const id = useId();
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    // An address that was sent opens it as well: the focus is not taken then.
    if (opener === null || opener === document.body) return undefined;
    element.current?.focus();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <section
      ref={element}
      className="side-panel panel"
      aria-labelledby={id}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape') props.onClose();
        else move(event, props);
      }}
    >
      <Contents id={id} {...props} />
    </section>
  );
}

function move(event: KeyboardEvent, { onPrevious, onNext }: Props) {
  const go = { ArrowUp: onPrevious, ArrowDown: onNext }[event.key];
  if (!go) return;
  event.preventDefault();
  go();
}

function Contents({ id, title, onPrevious, onNext, onClose, children }: Props & { id: string }) {
  const size = 18;
  const button = (label: string, icon: ReactNode, onPress: (() => void) | undefined) => (
    // Not disabled, which would drop the focus of whoever goes on by it.
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      aria-disabled={onPress === undefined}
      onClick={onPress}
    >
      {icon}
    </button>
  );
  return (
    <>
      <div className="side-panel-head">
        <h2 id={id}>{title}</h2>
        {button(m.common_previous_row(), <IconChevronUp size={size} aria-hidden="true" />, onPrevious)}
        {button(m.common_next_row(), <IconChevronDown size={size} aria-hidden="true" />, onNext)}
        {button(m.common_close(), <IconX size={size} aria-hidden="true" />, onClose)}
      </div>
      <div className="side-panel-body">{children}</div>
    </>
  );
}
