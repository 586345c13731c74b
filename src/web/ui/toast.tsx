import { IconAlertTriangle, IconCircleCheck, IconX } from '@tabler/icons-react';
import { Link } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { createStore } from '#web/store.ts';
import './toast.css';

/** Where to read on. */
type ToastLink = { to: string; text: string };
type Toast = { id: number; tone: 'success' | 'error'; text: string; link: ToastLink | undefined };

const stayMs = 6000;
const toasts = createStore<readonly Toast[]>([]);
let lastId = 0;

function dismiss(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

function show(tone: Toast['tone'], text: string, link?: ToastLink): void {
  lastId += 1;
  const id = lastId;
  // What stands there already is not said twice.
  const others = toasts.get().filter((toast) => toast.text !== text || toast.tone !== tone);
  toasts.set([...others.slice(-2), { id, tone, text, link }]);
  setTimeout(() => dismiss(id), stayMs);
}

/** Tells something in passing, at the screen's edge, for six seconds. */
export const toast = {
  success: (text: string, link?: ToastLink) => show('success', text, link),
  error: (text: string) => show('error', text),
  /** Takes all away: what was told to one user is not for the next. */
  clear: () => toasts.set([]),
};

/**
 * Where toasts appear; stands once in the shell. An error is an alert of its own; the region of the others is there
 * from the start, so that readers notice.
 */
export function Toasts() {
  const shown = toasts.useValue();
  return (
    <div className="toasts">
      <div>{shown.filter((toast) => toast.tone === 'error').map(drawToast)}</div>
      <div aria-live="polite">{shown.filter((toast) => toast.tone === 'success').map(drawToast)}</div>
    </div>
  );
}

function drawToast({ id, tone, text, link }: Toast) {
  const Icon = tone === 'error' ? IconAlertTriangle : IconCircleCheck;
  return (
    <div key={id} className={`toast ${tone}`} role={tone === 'error' ? 'alert' : undefined}>
      <Icon size={18} aria-hidden="true" />
      <div className="toast-text">
        <p>{text}</p>
        {link && (
          <Link to={link.to} onClick={() => dismiss(id)}>
            {link.text}
          </Link>
        )}
      </div>
      <button type="button" className="icon-button" aria-label={m.common_close()} onClick={() => dismiss(id)}>
        <IconX size={16} aria-hidden="true" />
      </button>
    </div>
  );
}
