import { IconAlertTriangle, IconCircleCheck, IconX } from '@tabler/icons-react';
import { useLayoutEffect, useState } from 'react';
import { Link } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { createStore } from '#web/preferences/store.ts';
import './toast.css';

/** Where to read on, or what can still be done about it. */
type NextStep = { text: string } & ({ to: string } | { press: () => void });
type Toast = { id: number; tone: 'success' | 'error'; text: string; next: NextStep | undefined };

const stayMs = 6000;
/** A toast goes at most this long after the pointer and the focus have left it. */
const graceMs = 1000;
const toasts = createStore<readonly Toast[]>([]);
/** The open dialogs, the topmost last: while one is open, nothing outside it can be pressed or is read out. */
const dialogs = createStore<readonly symbol[]>([]);
const none: readonly Toast[] = [];
let lastId = 0;

function dismiss(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

/** Takes a toast away when its time is over, but not from under the pointer or the focus: it is being read or used. */
function expire(id: number): void {
  if (document.querySelector('.toasts:is(:hover, :focus-within)')) setTimeout(() => expire(id), graceMs);
  else dismiss(id);
}

function show(tone: Toast['tone'], text: string, next?: NextStep): void {
  lastId += 1;
  const id = lastId;
  // What stands there already is not said twice.
  const others = toasts.get().filter((toast) => toast.text !== text || toast.tone !== tone);
  toasts.set([...others.slice(-2), { id, tone, text, next }]);
  setTimeout(() => expire(id), stayMs);
}

/** Tells something in passing, where it covers nothing, for six seconds or as long as one points at it. */
export const toast = {
  success: (text: string, next?: NextStep) => show('success', text, next),
  error: (text: string) => show('error', text),
  /** Takes all away: what was told to one user is not for the next. */
  clear: () => toasts.set([]),
};

/** Where toasts appear on the page; stands once, in the shell's bar. */
export function Toasts() {
  const shown = toasts.useValue();
  return <ToastList toasts={dialogs.useValue().length === 0 ? shown : none} />;
}

/** Where toasts appear while a dialog is open; stands in each dialog, filled in the topmost. */
export function DialogToasts() {
  const [dialog] = useState(() => Symbol());
  useLayoutEffect(() => {
    dialogs.set([...dialogs.get(), dialog]);
    return () => dialogs.set(dialogs.get().filter((other) => other !== dialog));
  }, [dialog]);
  const shown = toasts.useValue();
  return <ToastList toasts={dialogs.useValue().at(-1) === dialog ? shown : none} />;
}

/**
 * Errors first, then the newest: the place has one height, the others are scrolled to. An error is an alert of its own;
 * the region of the others is there from the start, so that readers notice.
 */
function ToastList({ toasts }: { toasts: readonly Toast[] }) {
  const newestFirst = toasts.toReversed();
  return (
    <div className="toasts">
      <div>{newestFirst.filter(({ tone }) => tone === 'error').map(drawToast)}</div>
      <div aria-live="polite">{newestFirst.filter(({ tone }) => tone === 'success').map(drawToast)}</div>
    </div>
  );
}

function drawToast({ id, tone, text, next }: Toast) {
  const Icon = tone === 'error' ? IconAlertTriangle : IconCircleCheck;
  return (
    <div key={id} className={`toast ${tone}`} role={tone === 'error' ? 'alert' : undefined}>
      <Icon size={18} aria-hidden="true" />
      <div className="toast-text">
        <p>{text}</p>
        {next && 'to' in next && (
          <Link to={next.to} onClick={() => dismiss(id)}>
            {next.text}
          </Link>
        )}
      </div>
      {next && 'press' in next && (
        <button
          type="button"
          className="toast-action"
          onClick={() => {
            dismiss(id);
            next.press();
          }}
        >
          {next.text}
        </button>
      )}
      <button type="button" className="icon-button" aria-label={m.common_close()} onClick={() => dismiss(id)}>
        <IconX size={16} aria-hidden="true" />
      </button>
    </div>
  );
}
