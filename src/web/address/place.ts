import { type MouseEvent, useSyncExternalStore } from 'react';

const moved = 'coverdesk.moved';

/**
 * Where a signed-out visitor is. Three small screens need no router: leaving it out of the first load makes signing
 * in a quarter lighter (docs/decisions/008).
 */
export function usePlace(): string {
  return useSyncExternalStore(follow, () => location.pathname);
}

/** The browser tells of Back and Forward, `goTo` of its own moves. */
function follow(listener: () => void): () => void {
  addEventListener('popstate', listener);
  addEventListener(moved, listener);
  return () => {
    removeEventListener('popstate', listener);
    removeEventListener(moved, listener);
  };
}

/** Moves to another signed-out screen; `from` is the page to return to after signing in. */
export function goTo(
  path: string,
  { replace = false, from }: { replace?: boolean; from?: string } = {},
): void {
  const state = from === undefined ? null : { from };
  if (replace) history.replaceState(state, '', path);
  else history.pushState(state, '', path);
  dispatchEvent(new Event(moved));
}

/** The page originally asked for, kept in the history entry of the sign-in screen. */
export function getPlaceAskedFor(): string | null {
  const { from } = (history.state ?? {}) as { from?: unknown };
  return typeof from === 'string' ? from : null;
}

/** For links among the signed-out screens: no reload, unless a new tab or window is asked for. */
export function followLink(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const from = getPlaceAskedFor();
  goTo(event.currentTarget.pathname, from === null ? {} : { from });
}
