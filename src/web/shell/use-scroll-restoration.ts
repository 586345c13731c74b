import { useLayoutEffect, useRef } from 'react';
import { useLocation, useMatches, useNavigationType } from 'react-router';
import { wasLoadedSignedIn } from '#web/client/session.ts';

/** How far the page and its table are scrolled, in pixels. */
type Position = { page: number; table: number };

const positions = new Map<string, Position>();
const findTable = () => document.querySelector('[role="group"]:has(> table[role="table"])');
/** Time for a screen to load its content and reach its former length. */
const patienceMs = 10_000;
const userActions = ['wheel', 'touchmove', 'keydown', 'pointerdown'];

/** Whether the next first screen is that of a loaded page, where the browser sets the focus. */
let isLoad = wasLoadedSignedIn;

/**
 * Scrolls a new screen to its top, and restores the position of a screen that Back or Forward opens. Moves the focus
 * to the heading of the screen, which screen readers announce; after a sign-in, too.
 */
export function useScrollRestoration(): void {
  const { key, pathname } = useLocation();
  const isReturn = useNavigationType() === 'POP';
  const lastPath = useRef(pathname);
  const focused = useRef(isLoad ? pathname : null);
  // Changes also when the code of a first screen has arrived, which has no heading until then.
  const matches = useMatches();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the matches are the cause
  useLayoutEffect(() => {
    isLoad = false;
    if (focused.current !== pathname && focusHeading()) focused.current = pathname;
  }, [matches, pathname]);
  useLayoutEffect(() => {
    history.scrollRestoration = 'manual';
    const isNew = lastPath.current !== pathname;
    lastPath.current = pathname;
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

/** Leaves the focus in a dialog that the screen has opened. @returns false while there is no heading */
function focusHeading(): boolean {
  if (document.querySelector('[aria-modal]') !== null) return true;
  const heading = document.querySelector<HTMLElement>('#content h1');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
  return heading !== null;
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
