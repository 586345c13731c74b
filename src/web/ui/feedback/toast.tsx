import { type NotificationData, Notifications, notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useRef } from 'react';
import { Link } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { useWindowKeys } from '#web/browser/keyboard.ts';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Notification.layer.css';
import '@mantine/notifications/styles.layer.css';
import tones from '#web/styles/tones.module.css';
import { passFocusOn } from '../overlay/move-focus.ts';
import { Lines } from './lines.tsx';
import styles from './toast.module.css';

/** A link to follow, or an action such as Undo. */
type NextStep = { text: string } & ({ to: string } | { press: () => void });

const stayMs = 6000;
/** Long enough to reach an action by keyboard. */
const stayWithNextMs = 20_000;
/** The id of the last toast with a text: the same text is not shown twice. */
const idsByText = new Map<string, string>();
let count = 0;

function show(tone: 'success' | 'error', text: string, next?: NextStep): void {
  notifications.hide(idsByText.get(text) ?? '');
  count += 1;
  const id = `toast-${count}`;
  idsByText.set(text, id);
  const isError = tone === 'error';
  const Icon = isError ? IconAlertTriangle : IconCircleCheck;
  const data: NotificationData = {
    id,
    message: <Message text={text} next={next} onDone={() => notifications.hide(id)} />,
    icon: <Icon size={18} aria-hidden="true" />,
    className: `${styles.toast} ${isError ? tones.red : tones.green}`,
    role: isError ? 'alert' : 'status',
    // Errors first, then the newest.
    style: { order: -count - (isError ? 1e6 : 0) },
    autoClose: next ? stayWithNextMs : stayMs,
    closeButtonProps: { ref: passFocusOn, 'aria-label': m.common_close() },
    // Mantine stops the time under the pointer alone.
    onFocusCapture: () => notifications.update({ ...data, autoClose: false }),
    onBlurCapture: () => notifications.update(data),
  };
  notifications.show(data);
}

/** Shows a message for six seconds, or for twenty if it offers a next step; longer under the pointer or the focus. */
export const toast = {
  success: (text: string, next?: NextStep) => show('success', text, next),
  error: (text: string) => show('error', text),
  /** Removes all toasts: the next user must not see them. */
  clear: () => notifications.clean(),
};

/** The place of toasts, in the shell's bar, where they cover nothing. F8 moves the focus to the first of them. */
export function Toasts() {
  const region = useRef<HTMLElement>(null);
  useWindowKeys((event) => {
    if (event.key === 'F8')
      region.current?.querySelector<HTMLElement>('.mantine-Notification-root :is(a, button)')?.focus();
  });
  return (
    <section ref={region} className={styles.toasts} aria-label={m.common_toasts()} aria-live="polite">
      <Notifications withinPortal={false} position="top-left" limit={10} transitionDuration={140} />
    </section>
  );
}

function Message({ text, next, onDone }: { text: string; next: NextStep | undefined; onDone: () => void }) {
  const press = () => {
    onDone();
    if (next && 'press' in next) next.press();
  };
  return (
    <>
      <div>
        <Lines text={text} />
      </div>
      {next &&
        ('to' in next ? (
          <Link ref={passFocusOn} to={next.to} onClick={onDone}>
            {next.text}
          </Link>
        ) : (
          <button ref={passFocusOn} type="button" className={styles.toastAction} onClick={press}>
            {next.text}
          </button>
        ))}
    </>
  );
}
