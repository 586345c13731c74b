import { useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** How far the page and its table are scrolled, in pixels. */
type Position = { page: number; table: number };

const positions = new Map<string, Position>();
const findTable = () => document.querySelector('.table-scroll');
/** Time for a screen to load its content and reach its former length. */
const patienceMs = 10_000;
const userActions = ['wheel', 'touchmove', 'keydown', 'pointerdown'];

/**
 * Scrolls a new screen to its top, and restores the position of a screen that Back or Forward opens. Moves the focus
 * to the heading of the screen, which screen readers announce.
 */
export function useScrollRestoration(): void {
  const { key, pathname } = useLocation();
  const isReturn = useNavigationType() === 'POP';
  const shown = useRef(pathname);

  useLayoutEffect(() => {
    history.scrollRestoration = 'manual';
    const isNew = shown.current !== pathname;
    shown.current = pathname;
    if (isNew) focusHeading();
    const left = isReturn ? positions.get(key) : undefined;
    if (left === undefined && isNew) scrollTo(0, 0);
    const stop = left === undefined ? undefined : keepAt(left);
    const note = () => positions.set(key, { page: scrollY, table: findTable()?.scrollTop ?? 0 });
    addEventListener('scroll', note, true);
    return () => {
      stop?.();
      removeEventListener('scroll', note, true);
    };
  }, [key, pathname, isReturn]);
}

/** Leaves the focus in a dialog that the screen has opened. */
function focusHeading(): void {
  if (document.querySelector('[aria-modal]') !== null) return;
  const heading = document.querySelector<HTMLElement>('#content h1');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
}

/** Scrolls again whenever the screen changes, until the user acts. @returns a function that stops it */
function keepAt({ page, table }: Position): () => void {
  const scroll = () => {
    scrollTo(0, page);
    findTable()?.scrollTo({ top: table });
  };
  const watch = new MutationObserver(scroll);
  const stop = () => {
    watch.disconnect();
    for (const action of userActions) removeEventListener(action, stop);
  };
  watch.observe(document.body, { childList: true, subtree: true });
  for (const action of userActions) addEventListener(action, stop);
  setTimeout(stop, patienceMs);
  scroll();
  return stop;
}
